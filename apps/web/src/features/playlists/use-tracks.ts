import type { api, Playlist, ResponseBody, Track } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { repaged } from '#shared/pages.ts';
import { useTelling } from '#shared/use-telling.ts';
import { noteLiked } from './likes.ts';
import { before, moveOf, placed, stepTo, without } from './model/order.ts';
import { type Change, changePlaylist } from './mutations.ts';
import { contentQuery, favouritesQuery, playlistQuery, playlistsQuery } from './queries.ts';

type Content = InfiniteData<ResponseBody<(typeof api)['playlists']['findPlaylistContent']>, number>;

/** What was just taken out: the track, and what it stood behind. */
export interface Dropped {
  track: Track;
  after: string | null;
}

/**
 * Tells changes of one playlist. Once all are told, the pages are asked for anew where one was refused, or where more are to
 * come: these have moved.
 */
function useTellingPlaylist(playlist: Playlist) {
  const client = useQueryClient();
  const hasMoved = useRef(false);
  const tell = useTelling((hasFailed) => {
    if (hasFailed || hasMoved.current) void client.invalidateQueries(contentQuery(playlist._id));
    hasMoved.current = false;
    void client.invalidateQueries({ queryKey: playlistsQuery().queryKey.slice(0, 2) });
    void client.invalidateQueries({ queryKey: favouritesQuery.queryKey });
  });
  return (change: Change, isPartial: boolean): void => {
    hasMoved.current ||= isPartial;
    void tell(async () =>
      client.setQueryData(playlistQuery(playlist._id).queryKey, await changePlaylist(playlist, change)),
    );
  };
}

/** The tracks of a playlist, and what the reader does to them (LIST-06). */
export function useTracks(playlist: Playlist) {
  const client = useQueryClient();
  const query = useInfiniteQuery(contentQuery(playlist._id));
  const tellOne = useTellingPlaylist(playlist);
  const [dropped, setDropped] = useState<Dropped | null>(null);
  const tracks = query.data?.pages.flatMap(({ docs }) => docs) ?? [];

  const tell = (change: Change): void => tellOne(change, query.hasNextPage);

  // A page that is on its way would bring back what was there before.
  const show = (changed: readonly Track[]): void => {
    void client.cancelQueries(contentQuery(playlist._id));
    client.setQueryData<Content>(
      contentQuery(playlist._id).queryKey,
      (content) => content && { ...content, pages: repaged(content.pages, changed) },
    );
  };
  const like = (track: Track, liked: boolean) => playlist.origin === 'auto' && noteLiked(track._id, liked);

  return {
    query,
    tracks,
    dropped,
    forgetDropped: () => setDropped(null),
    /** Moves a track to an index of the loaded ones. Out: whether it moved. */
    move: (track: Track, index: number): boolean => {
      const after = stepTo(tracks, track._id, index);
      if (after === undefined) return false;
      show(placed(tracks, track, after));
      tell({ 'articles.moved': moveOf(track._id, after) });
      return true;
    },
    remove: (track: Track): void => {
      setDropped({ track, after: before(tracks, track._id) });
      show(without(tracks, track._id));
      like(track, false);
      tell({ 'articles.removed': track._id });
    },
    undo: (): void => {
      if (!dropped) return;
      const { track, after } = dropped;
      setDropped(null);
      show(placed(tracks, track, after));
      like(track, true);
      tell({ 'articles.added': track._id, 'articles.moved': moveOf(track._id, after) });
    },
  };
}
