import type { api, Playlist, ResponseBody, Track } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getT } from '#shared/i18n/i18n.ts';
import { changePages, mergePages } from '#shared/pagination.ts';
import { toastWithUndo } from '#shared/ui/toast.tsx';
import { usePendingChanges, useSerialMutation } from '#shared/use-serial-mutation.ts';
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

interface TrackChange {
  track: Track;
  change: PlaylistChange;
  /** Returns the tracks once the change is made. */
  apply: (tracks: Track[]) => Track[];
}

/** Returns the loaded tracks of a playlist and the changes its owner can make (LIST-06). */
export function usePlaylistTracks(playlist: Playlist) {
  const client = useQueryClient();
  const content = contentQuery(playlist._id);
  const query = useInfiniteQuery(content);
  const [removed, setRemoved] = useState<{ track: Track; previousId: string | null } | null>(null);
  const scope = `playlist ${playlist._id}`;
  const tracks = usePendingChanges<TrackChange>(scope).reduce(
    (shown, { apply }) => apply(shown),
    mergePages(query.data?.pages),
  );

  const { mutate } = useSerialMutation({
    scope,
    mutationFn: ({ change }: TrackChange) => changePlaylist(playlist, change),
    onError: (failed) => {
      const { change, track } = failed;
      if (change['articles.removed']) setRemoved((now) => (now?.track._id === track._id ? null : now));
      // The track is still removed, and its notice is gone.
      if (change['articles.added'])
        toastWithUndo(getT()('common.removed', { title: track.title }), () => mutate(failed), 'message');
    },
    onSuccess: (changed, { change, track, apply }) => {
      client.setQueryData<ContentPages>(content.queryKey, (data) => changePages(data, apply));
      client.setQueryData(playlistQuery(playlist._id).queryKey, changed);
      if (playlist.origin !== 'auto') return;
      if (change['articles.added']) setLike(client, track._id, true);
      if (change['articles.removed']) setLike(client, track._id, false);
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

  return {
    query,
    tracks,
    removed,
    dismissRemoved: () => setRemoved(null),
    /** Moves a track to an index among the loaded ones; returns whether it moved. */
    move: (track: Track, index: number): boolean => {
      const anchor = findAnchor(tracks, track._id, index);
      if (anchor === undefined) return false;
      mutate({
        track,
        change: { 'articles.moved': toMove(track._id, anchor) },
        apply: (shown) => insertAfter(shown, track, anchor),
      });
      return true;
    },
    remove: (track: Track): void => {
      setRemoved({ track, previousId: getPreviousId(tracks, track._id) });
      mutate({
        track,
        change: { 'articles.removed': track._id },
        apply: (shown) => removeById(shown, track._id),
      });
    },
    undo: (): void => {
      if (!removed) return;
      const { track, previousId } = removed;
      setRemoved(null);
      mutate({
        track,
        change: { 'articles.added': track._id, 'articles.moved': toMove(track._id, previousId) },
        apply: (shown) => insertAfter(shown, track, previousId),
      });
    },
  };
}
