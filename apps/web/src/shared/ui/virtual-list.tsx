import { createContext, type ReactElement, type Ref, useContext } from 'react';
import { type CustomItemComponentProps, WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';

const Total = createContext(0);

function Item({ index, children, ref, style }: CustomItemComponentProps) {
  const total = useContext(Total);
  // virtua ignores the pointer for 150 ms after the page scrolled, which would lose presses.
  return (
    <li
      ref={ref}
      style={style}
      className="pointer-events-auto"
      aria-posinset={index + 1}
      aria-setsize={total}
    >
      {children}
    </li>
  );
}

interface Props {
  items: readonly unknown[];
  /** The number of items, including those not loaded yet. */
  total: number;
  /** Gives access to the scroll position of items. */
  handle?: Ref<WindowVirtualizerHandle>;
  /** The estimated height of an item, in pixels. */
  itemSize?: number;
  /** Renders the item at an index. */
  children: (index: number) => ReactElement;
}

/** A list that renders only the items near the visible part of the page. */
export function VirtualList({ items, total, handle = null, itemSize = 64, children }: Props) {
  return (
    <Total value={total}>
      <WindowVirtualizer ref={handle} as="ol" item={Item} itemSize={itemSize} data={items}>
        {(_: unknown, index: number) => children(index)}
      </WindowVirtualizer>
    </Total>
  );
}
