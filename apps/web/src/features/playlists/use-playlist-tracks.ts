import type { api, Playlist, ResponseBody, Track } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { mergePages, repaginate } from '#shared/pagination.ts';
import { serialMutationFilter, useSerialMutation } from '#shared/use-serial-mutation.ts';
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

/** Returns what shows a change of a playlist's tracks at once and sends it; `onFailed` gets a change that was not made. */
function useChangeTracks(playlist: Playlist, onFailed: (change: PlaylistChange) => void) {
  const client = useQueryClient();
  const content = contentQuery(playlist._id);
  /** What was shown before the changes that are queued; undefined once one of them is made. */
  const before = useRef<ContentPages>(undefined);
  const scope = `playlist ${playlist._id}`;
  const { mutate } = useSerialMutation({
    scope,
    mutationFn: ({ change }: { change: PlaylistChange; tracks: readonly Track[] }) =>
      changePlaylist(playlist, change),
    onMutate: ({ tracks }) => {
      if (client.isMutating(serialMutationFilter(scope)) <= 1)
        before.current = client.getQueryData(content.queryKey);
      // A page that is on its way would bring back the previous order.
      void client.cancelQueries(content);
      client.setQueryData<ContentPages>(
        content.queryKey,
        (data) => data && { ...data, pages: repaginate(data.pages, tracks) },
      );
    },
    onError: ({ change }) => onFailed(change),
    onSuccess: (changed, { change }) => {
      before.current = undefined;
      client.setQueryData(playlistQuery(playlist._id).queryKey, changed);
      if (playlist.origin !== 'auto') return;
      if (change['articles.added']) setLike(client, change['articles.added'], true);
      if (change['articles.removed']) setLike(client, change['articles.removed'], false);
    },
    onQueueSettled: (hasFailed) => {
      // Without a network the pages are not requested again until it is back.
      if (hasFailed && before.current) client.setQueryData(content.queryKey, before.current);
      void client.invalidateQueries(content);
      // Another device may have deleted it.
      if (hasFailed) void client.invalidateQueries(playlistQuery(playlist._id));
      void client.invalidateQueries({ queryKey: playlistsQuery().queryKey.slice(0, 2) });
      void client.invalidateQueries({ queryKey: favouritesQuery.queryKey });
      if (playlist.origin === 'auto') void client.invalidateQueries(likedQuery);
    },
  });
  return (change: PlaylistChange, tracks: readonly Track[]) => mutate({ change, tracks });
}

/** Returns the loaded tracks of a playlist and the changes its owner can make (LIST-06). */
export function usePlaylistTracks(playlist: Playlist) {
  const query = useInfiniteQuery(contentQuery(playlist._id));
  const [removed, setRemoved] = useState<{ track: Track; previousId: string | null } | null>(null);
  const changeTracks = useChangeTracks(playlist, (change) =>
    setRemoved((now) => (now?.track._id === change['articles.removed'] ? null : now)),
  );
  const tracks = mergePages(query.data?.pages);

  return {
    query,
    tracks,
    removed,
    dismissRemoved: () => setRemoved(null),
    /** Moves a track to an index among the loaded ones; returns whether it moved. */
    move: (track: Track, index: number): boolean => {
      const anchor = findAnchor(tracks, track._id, index);
      if (anchor === undefined) return false;
      changeTracks({ 'articles.moved': toMove(track._id, anchor) }, insertAfter(tracks, track, anchor));
      return true;
    },
    remove: (track: Track): void => {
      setRemoved({ track, previousId: getPreviousId(tracks, track._id) });
      changeTracks({ 'articles.removed': track._id }, removeById(tracks, track._id));
    },
    undo: (): void => {
      if (!removed) return;
      const { track, previousId } = removed;
      setRemoved(null);
      changeTracks(
        { 'articles.added': track._id, 'articles.moved': toMove(track._id, previousId) },
        insertAfter(tracks, track, previousId),
      );
    },
  };
}
