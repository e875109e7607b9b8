import { api, type Track } from '@escucho/contracts';
import { type Query, type QueryClient, replaceEqualDeep, useQueryClient } from '@tanstack/react-query';
import { getUser } from '#features/session/session.ts';
import { call } from '#shared/api/client.ts';
import { getT } from '#shared/i18n/i18n.ts';
import { dismissToast, toastWithUndo } from '#shared/ui/toast.tsx';
import { serialMutationFilter, usePendingChanges, useSerialMutation } from '#shared/use-serial-mutation.ts';
import { likedQuery, playlistsKey } from './queries.ts';

const isJsonObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Returns a response of the API with a like in each copy of a track; the same object where nothing changes. */
function changeLike(data: unknown, id: string, like: boolean): unknown {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change);
    if (!isJsonObject(value)) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]));
    return copy._id === id && 'like' in copy ? { ...copy, like } : copy;
  };
  return replaceEqualDeep(data, change(data));
}

/** Shows a like that the server has confirmed in all loaded lists, until they are loaded again. */
export function setLike(client: QueryClient, id: string, like: boolean): void {
  client.setQueryData(likedQuery.queryKey, (liked) => {
    if (!liked) return undefined;
    const ids = liked.ids.filter((other) => other !== id);
    const removed = liked.removed.filter((other) => other !== id);
    return like ? { ...liked, ids: [id, ...ids], removed } : { ...liked, ids, removed: [id, ...removed] };
  });
  for (const { queryKey, state } of client.getQueryCache().findAll()) {
    const data = changeLike(state.data, id, like);
    if (data === state.data) continue;
    client.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt });
    // A response that is on its way may have the previous like.
    if (state.isInvalidated || state.fetchStatus !== 'idle')
      void client.invalidateQueries({ queryKey, exact: true });
  }
}

/** A press of the button, and the toast that confirms it. */
interface Change {
  liked: boolean;
  toastId: number;
}

/** Returns whether a track is a favourite (CAT-08), and a toggle that is shown at once and can be undone. */
export function useLike({ _id: id, like }: Pick<Track, '_id' | 'like'>) {
  const client = useQueryClient();
  const scope = `favourite ${id}`;
  const isLiked = usePendingChanges<Change>(scope).at(-1)?.liked ?? like;
  const { mutate } = useSerialMutation({
    scope,
    mutationFn: async ({ liked }: Change) => {
      // Only the last of several quick presses counts.
      if (client.isMutating(serialMutationFilter(scope)) > 1) return;
      const userId = getUser()?._id;
      await call(liked ? api.playlists.addFavourite : api.playlists.removeFavourite, { params: { id } });
      // Another user may have signed in since.
      if (getUser()?._id === userId) setLike(client, id, liked);
    },
    onError: ({ toastId }) => dismissToast(toastId),
    onQueueSettled: (hasFailed) => {
      void client.invalidateQueries({ queryKey: playlistsKey });
      // The server may have made a change whose response was lost.
      const hasTrack = ({ state: { data } }: Query) =>
        changeLike(data, id, true) !== data || changeLike(data, id, false) !== data;
      if (hasFailed) void client.invalidateQueries({ predicate: hasTrack });
    },
  });

  const change = (liked: boolean): void => {
    const text = getT()(liked ? 'playlists.liked' : 'playlists.unliked');
    mutate({ liked, toastId: toastWithUndo(text, () => change(!liked)) });
  };
  return { isLiked, toggle: () => change(!isLiked) };
}
