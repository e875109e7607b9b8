import { type ReactElement, useLayoutEffect, useRef } from 'react';
import type { WindowVirtualizerHandle } from 'virtua';
import Rows from '#shared/ui/virtual-list.tsx';

/** A row that was moved, and where to; another object for every move. */
export interface Moved {
  id: string;
  index: number;
}

interface Props {
  /** Each with its track's id as key. */
  rows: readonly ReactElement[];
  /** How many there are with those not loaded yet. */
  total: number;
  moved: Moved | null;
}

/** Follows a row that was moved out of what is drawn: scrolls to it, and gives its handle the focus once it is there. */
function useFollowing({ rows, moved }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<WindowVirtualizerHandle>(null);
  const followed = useRef(moved);
  useLayoutEffect(() => {
    if (!moved || !box.current || followed.current === moved) return;
    if (rows[moved.index]?.key !== moved.id) return;
    followed.current = moved;
    const handle = `[data-row="${moved.id}"] [data-handle]`;
    const drawn = box.current.querySelector<HTMLElement>(handle);
    if (drawn) return drawn.focus();
    // It comes hidden, until its height is known, and what is hidden takes no focus.
    const come = new MutationObserver(() => {
      const found = box.current?.querySelector<HTMLElement>(handle);
      found?.focus({ preventScroll: true });
      if (found && found === document.activeElement) come.disconnect();
    });
    come.observe(box.current, { childList: true, subtree: true, attributeFilter: ['style'] });
    const top = box.current.getBoundingClientRect().top + (list.current?.getItemOffset(moved.index) ?? 0);
    scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
  });
  return { box, list };
}

/** A playlist of which only what is near the window is in the page. */
export default function LongList(props: Props) {
  const { box, list } = useFollowing(props);
  const { rows, total } = props;
  return (
    <div ref={box}>
      <Rows items={rows} total={total} handle={list}>
        {(index) => rows[index] ?? <span />}
      </Rows>
    </div>
  );
}
