import type { api, ResponseBody } from '@escucho/contracts';
import { useCallback, useEffect } from 'react';
import { useQueryParams } from '#shared/use-query-params.ts';
import { seekTo, useSavedPosition, useTrackPosition } from '../player/player.ts';
import { pageAt, pageOf } from './model/pages.ts';

export type Book = ResponseBody<typeof api.articles.readArticle>;

/**
 * Which page is open: while the book is in the player, the one that is heard; otherwise the one the address names, or the one
 * the reader had come to. Out: its number from 0, what opens another, and where the book is in the player (seconds or null).
 */
export function useOpenPage({ article: { pages }, track }: Book) {
  const [query, change] = useQueryParams();
  const name = useCallback((page: number) => change({ page: String(page + 1) }), [change]);
  const position = useTrackPosition(track._id);
  const place = useSavedPosition(track);
  const asked = query.get('page');
  const stays = asked === null ? pageAt(pages, place) : pageOf(asked, pages.length);
  const open = position === null ? stays : pageAt(pages, position);

  // The address follows, so that it can be sent to somebody; going back leaves the book.
  useEffect(() => {
    if (asked !== String(open + 1)) name(open);
  }, [asked, open, name]);

  const turnTo = (page: number) => {
    const to = pages[page];
    if (!to) return;
    if (position === null) name(page);
    else seekTo(to.start);
  };
  return { open, turnTo, position };
}
