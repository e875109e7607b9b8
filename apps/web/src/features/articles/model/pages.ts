import type { Article } from '@escucho/contracts';

type PageStart = Pick<Article['pages'][number], 'start'>;

/**
 * Returns the index of the page at a playback position: the last one that has started, or the first (CAT-06).
 *
 * @param position - In seconds.
 */
export const getPageAt = (pages: readonly PageStart[], position: number): number =>
  Math.max(
    pages.findLastIndex(({ start }) => start <= position),
    0,
  );

/**
 * Returns the index of the page an address names, limited to the book.
 *
 * @param number - The page's number from 1, as the address has it.
 */
export function parsePage(number: string | null, count: number): number {
  const page = /^\d{1,4}$/.test(number ?? '') ? Number(number) - 1 : 0;
  return Math.min(Math.max(page, 0), Math.max(count - 1, 0));
}

const MIN_SWIPE_PX = 48;

/**
 * Returns by how many pages a swipe turns the book.
 *
 * @param distance - How far the finger moved, in CSS pixels.
 */
export function toPageTurn({ x, y }: { x: number; y: number }): -1 | 0 | 1 {
  if (Math.abs(x) < MIN_SWIPE_PX || Math.abs(x) < 1.5 * Math.abs(y)) return 0;
  return x < 0 ? 1 : -1;
}
