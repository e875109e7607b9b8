import { type PointerEvent as ReactPointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** What is dragged, and where it would land. */
interface Drag {
  id: string;
  over: { id: string; side: 'before' | 'after' } | null;
}

/** Within this many pixels of the window's edges what is dragged over scrolls along. */
const edge = 130;
const pixelsAFrame = 12;

/** The topmost modal, or the page where there is none: rows of what lies under a modal are out of reach. */
const layer = (): Element =>
  [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.documentElement;

/** The row at a height of the window. By where rows are, for lists that are scrolling answer no question for what is at a point. */
function rowAt(y: number): Drag['over'] {
  for (const row of layer().querySelectorAll<HTMLElement>('[data-row]')) {
    const { top, bottom } = row.getBoundingClientRect();
    const id = row.dataset.row;
    if (id !== undefined && y >= top && y < bottom)
      return { id, side: y > (top + bottom) / 2 ? 'after' : 'before' };
  }
  return null;
}

/**
 * Dragging rows that carry `data-row` with their id, by mouse or finger; Escape gives up. In: what to do when a row is
 * dropped beside another. Out: what is dragged, and how a handle begins it.
 */
function useDrag(onDrop: (id: string, over: string, side: 'before' | 'after') => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const end = useRef<() => void>(() => undefined);
  useEffect(() => () => end.current(), []);

  const begin = (id: string) => (event: ReactPointerEvent) => {
    if (event.button !== 0) return;
    let y = event.clientY;
    let over: Drag['over'] = null;
    let frame = 0;
    const look = () => {
      const found = rowAt(y);
      over = found && found.id !== id ? found : null;
      setDrag({ id, over });
    };
    const scroll = () => {
      const way = y < edge ? -1 : y > innerHeight - edge ? 1 : 0;
      if (way !== 0) {
        layer().scrollBy(0, way * pixelsAFrame);
        look();
      }
      frame = requestAnimationFrame(scroll);
    };
    const moved = (move: PointerEvent) => {
      y = move.clientY;
      look();
    };
    const dropped = () => {
      end.current();
      if (over) onDrop(id, over.id, over.side);
    };
    const pressed = ({ key }: KeyboardEvent) => key === 'Escape' && end.current();
    end.current = () => {
      cancelAnimationFrame(frame);
      removeEventListener('pointermove', moved);
      removeEventListener('pointerup', dropped);
      removeEventListener('pointercancel', end.current);
      removeEventListener('keydown', pressed);
      setDrag(null);
    };
    addEventListener('pointermove', moved);
    addEventListener('pointerup', dropped);
    addEventListener('pointercancel', end.current);
    addEventListener('keydown', pressed);
    frame = requestAnimationFrame(scroll);
  };
  return { drag, begin };
}

/**
 * Moving rows by hand: dragged, or by keys, after which the focus stays on the handle that the browser drops with its row.
 * In: the rows' ids in order, and what brings one to an index; it answers whether anything moved.
 * Out: what is dragged, how a handle begins it, and how a key brings a row to an index.
 */
export function useMoving(ids: readonly string[], move: (id: string, index: number) => boolean) {
  const handled = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (handled.current === null) return;
    layer().querySelector<HTMLElement>(`[data-row="${handled.current}"] [data-handle]`)?.focus();
    handled.current = null;
  });
  const to = (id: string, index: number) => {
    if (move(id, index)) handled.current = id;
  };
  const { drag, begin } = useDrag((id, over, side) => {
    const from = ids.indexOf(id);
    const target = ids.indexOf(over) + (side === 'after' ? 1 : 0);
    to(id, from < target ? target - 1 : target);
  });
  return { drag, begin, to };
}
