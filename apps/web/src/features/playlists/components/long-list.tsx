import { createContext, type ReactNode, useContext } from 'react';
import { type CustomItemComponentProps, WindowVirtualizer } from 'virtua';

const Total = createContext(0);

function Item({ index, children, ref, style }: CustomItemComponentProps) {
  const total = useContext(Total);
  return (
    <li ref={ref} style={style} aria-posinset={index + 1} aria-setsize={total}>
      {children}
    </li>
  );
}

/** A list of which only what is near the window is in the page. In: its rows, and how many there are with those not loaded yet. */
export default function LongList({ total, children }: { total: number; children: ReactNode }) {
  return (
    <Total value={total}>
      <WindowVirtualizer as="ol" item={Item} itemSize={64}>
        {children}
      </WindowVirtualizer>
    </Total>
  );
}
