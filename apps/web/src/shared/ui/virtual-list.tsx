import { createContext, type ReactElement, type Ref, useContext } from 'react';
import { type CustomItemComponentProps, WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';

const Total = createContext(0);

function Item({ index, children, ref, style }: CustomItemComponentProps) {
  const total = useContext(Total);
  return (
    <li ref={ref} style={style} aria-posinset={index + 1} aria-setsize={total}>
      {children}
    </li>
  );
}

interface Props {
  items: readonly unknown[];
  /** How many there are with those not loaded yet. */
  total: number;
  /** Tells where items are. */
  handle?: Ref<WindowVirtualizerHandle>;
  /** How high one is, as far as is known before it is drawn; pixels. */
  itemSize?: number;
  /** Draws the item of an index. */
  children: (index: number) => ReactElement;
}

/** A list of which only what is near the window is in the page. In: what it holds, and how one of it is drawn. */
export default function VirtualList({ items, total, handle = null, itemSize = 64, children }: Props) {
  return (
    <Total value={total}>
      <WindowVirtualizer ref={handle} as="ol" item={Item} itemSize={itemSize} data={items}>
        {(_: unknown, index: number) => children(index)}
      </WindowVirtualizer>
    </Total>
  );
}
