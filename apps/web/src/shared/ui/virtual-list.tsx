import { createContext, isValidElement, type ReactElement, useContext, useLayoutEffect, useRef } from 'react';
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

/** A row that was moved and its new index; a new object for every move. */
export interface MovedRow {
  id: string;
  index: number;
}

/** Scrolls to a row that was moved out of the rendered rows, and focuses its handle once it is visible. */
function useFollowMoved(items: readonly unknown[], moved: MovedRow | null) {
  const container = useRef<HTMLDivElement>(null);
  const list = useRef<WindowVirtualizerHandle>(null);
  const followed = useRef(moved);
  useLayoutEffect(() => {
    if (!moved || !container.current || followed.current === moved) return;
    const item = items[moved.index];
    if (!isValidElement(item) || item.key !== moved.id) return;
    followed.current = moved;
    const selector = `[data-row="${moved.id}"] [data-handle]`;
    const rendered = container.current.querySelector<HTMLElement>(selector);
    if (rendered) return rendered.focus();
    // The row is hidden until its height is measured, and hidden elements cannot be focused.
    const observer = new MutationObserver(() => {
      const handle = container.current?.querySelector<HTMLElement>(selector);
      handle?.focus({ preventScroll: true });
      if (handle && handle === document.activeElement) observer.disconnect();
    });
    observer.observe(container.current, { childList: true, subtree: true, attributeFilter: ['style'] });
    const offset = list.current?.getItemOffset(moved.index) ?? 0;
    const top = container.current.getBoundingClientRect().top + offset;
    scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
  });
  return { container, list };
}

interface Props {
  /** The rows; as many items where `children` renders them. */
  items: readonly unknown[];
  /** The number of items, including those not loaded yet. */
  total: number;
  /** The row to follow, whose key is its id. */
  moved?: MovedRow | null;
  /** The estimated height of an item, in pixels. */
  itemSize?: number;
  /** Renders the item at an index. */
  children?: (index: number) => ReactElement;
}

/** A list that renders only the items near the visible part of the page. */
export function VirtualList({ items, total, moved = null, itemSize = 64, children }: Props) {
  const { container, list } = useFollowMoved(items, moved);
  return (
    <Total value={total}>
      <div ref={container}>
        <WindowVirtualizer ref={list} as="ol" item={Item} itemSize={itemSize} data={items}>
          {(item: unknown, index: number) => children?.(index) ?? (isValidElement(item) ? item : <span />)}
        </WindowVirtualizer>
      </div>
    </Total>
  );
}
