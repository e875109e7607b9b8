import type { api, ResponseBody } from '@escucho/contracts';
import { useCallback, useEffect, useRef } from 'react';
import { seekTo, useSavedPosition, useTrackPosition } from '#features/player/player.ts';
import { useQueryParams } from '#shared/use-query-params.ts';
import { getPageAt, parsePage } from './model/pages.ts';

export type Book = ResponseBody<typeof api.articles.readArticle>;

/**
 * Returns the index of the open page, a function that opens another, and the book's playback position in seconds, or null
 * while it is not in the player. The open page is the one that is playing; otherwise the one the address names, or the one
 * of the saved position.
 */
export function useBookPage({ article: { pages }, track }: Book) {
  const [query, setQuery] = useQueryParams();
  const setPage = useCallback((index: number) => setQuery({ page: String(index + 1) }), [setQuery]);
  const position = useTrackPosition(track._id);
  const savedPosition = useSavedPosition(track);
  const page = query.get('page');
  const restingPage = page === null ? getPageAt(pages, savedPosition) : parsePage(page, pages.length);
  const openPage = position === null ? restingPage : getPageAt(pages, position);

  // The address follows, so that it can be shared; going back leaves the book.
  useEffect(() => {
    if (page !== String(openPage + 1)) setPage(openPage);
  }, [page, openPage, setPage]);

  const turnTo = (index: number) => {
    const target = pages[index];
    if (!target) return;
    if (position === null) setPage(index);
    else seekTo(target.start);
  };
  return { openPage, turnTo, position };
}

const turnsByKey: Record<string, 1 | -1> = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
/** Elements that use these keys themselves. */
const KEYBOARD_CONTROLS =
  'input, textarea, select, dialog, [role^=menu], [contenteditable]:not([contenteditable=false])';

/** Turns pages by the arrow and page keys while a book is open; the player's shortcuts do not see them. */
export function usePageKeys(turn: (pages: 1 | -1) => void): void {
  const latestTurn = useRef(turn);
  useEffect(() => {
    latestTurn.current = turn;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const pages = turnsByKey[event.key];
      const { target } = event;
      if (!pages || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (target instanceof Element && target.closest(KEYBOARD_CONTROLS)) return;
      event.preventDefault();
      latestTurn.current(pages);
    };
    // Captured before the player's shortcuts, which ignore events whose default is prevented.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
