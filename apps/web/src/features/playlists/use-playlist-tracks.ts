import type { api, Playlist, ResponseBody, Track } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { changePages, mergePages } from '#shared/pagination.ts';
import { type ListChange, useListChanges } from '#shared/ui/undo-notice.tsx';
import { setLike } from './favourites.ts';
import { findAnchor, getPreviousId, insertAfter, removeById, toMove } from './model/order.ts';
import {
  changePlaylist,
  contentQuery,
  favouritesQuery,
  likedQuery,
  type PlaylistChange,
  playlistQuery,
  playlistsQuery,
} from './queries.ts';

type ContentPages = InfiniteData<ResponseBody<(typeof api)['playlists']['findPlaylistContent']>, number>;

interface TrackChange extends ListChange<Track> {
  body: PlaylistChange;
}

/** Returns the loaded tracks of a playlist and the changes its owner can make (LIST-06). */
export function usePlaylistTracks(playlist: Playlist) {
  const client = useQueryClient();
  const content = contentQuery(playlist._id);
  const query = useInfiniteQuery(content);
  const list = useListChanges<Track, TrackChange, Playlist>({
    scope: `playlist ${playlist._id}`,
    loaded: mergePages(query.data?.pages),
    mutationFn: ({ body }) => changePlaylist(playlist, body),
    onSuccess: (changed, { type, item, apply }) => {
      client.setQueryData<ContentPages>(content.queryKey, (data) => changePages(data, apply));
      client.setQueryData(playlistQuery(playlist._id).queryKey, changed);
      if (playlist.origin === 'auto' && type !== 'move') setLike(client, item._id, type === 'restore');
    },
    onQueueSettled: (hasFailed) => {
      void client.invalidateQueries(content);
      // Another device may have deleted it.
      if (hasFailed) void client.invalidateQueries(playlistQuery(playlist._id));
      void client.invalidateQueries({ queryKey: playlistsQuery().queryKey.slice(0, 2) });
      void client.invalidateQueries({ queryKey: favouritesQuery.queryKey });
      if (playlist.origin === 'auto') void client.invalidateQueries(likedQuery);
    },
  });
  const { items: tracks } = list;
  return {
    ...list,
    query,
    /** Moves a track to an index among the loaded ones; returns whether it moved. */
    move: (track: Track, index: number): boolean => {
      const anchor = findAnchor(tracks, track._id, index);
      if (anchor === undefined) return false;
      list.change({
        type: 'move',
        item: track,
        body: { 'articles.moved': toMove(track._id, anchor) },
        apply: (shown) => insertAfter(shown, track, anchor),
      });
      return true;
    },
    remove: (track: Track): void => {
      const previousId = getPreviousId(tracks, track._id);
      list.remove(
        {
          type: 'remove',
          item: track,
          body: { 'articles.removed': track._id },
          apply: (shown) => removeById(shown, track._id),
        },
        {
          type: 'restore',
          item: track,
          body: { 'articles.added': track._id, 'articles.moved': toMove(track._id, previousId) },
          apply: (shown) => insertAfter(shown, track, previousId),
        },
      );
    },
  };
}
