import { type ReactElement, useLayoutEffect, useRef } from 'react';
import type { WindowVirtualizerHandle } from 'virtua';
import { VirtualList } from '#shared/ui/virtual-list.tsx';
import type { MovedRow } from './sortable-tracks.tsx';

interface Props {
  /** Each with its track's id as key. */
  rows: readonly ReactElement[];
  /** How many tracks the playlist has, with those not loaded yet. */
  total: number;
  moved: MovedRow | null;
}

/** Scrolls to a row that was moved out of the rendered rows, and focuses its handle once it is visible. */
function useFollowMoved(rows: readonly ReactElement[], moved: MovedRow | null) {
  const container = useRef<HTMLDivElement>(null);
  const list = useRef<WindowVirtualizerHandle>(null);
  const followed = useRef(moved);
  useLayoutEffect(() => {
    if (!moved || !container.current || followed.current === moved) return;
    if (rows[moved.index]?.key !== moved.id) return;
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

/** A playlist that renders only the rows near the viewport (CAT-09). */
export function LongTrackList({ rows, total, moved }: Props) {
  const { container, list } = useFollowMoved(rows, moved);
  return (
    <div ref={container}>
      <VirtualList items={rows} total={total} handle={list}>
        {(index) => rows[index] ?? <span />}
      </VirtualList>
    </div>
  );
}
