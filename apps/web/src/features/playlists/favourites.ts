import { api, type Track } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { create } from 'zustand';
import { call } from '#shared/api/client.ts';
import { getT } from '#shared/i18n/i18n.ts';
import { dismissToast, toastWithUndo } from '#shared/ui/toast.tsx';
import { serialMutationFilter, useSerialMutation } from '#shared/use-serial-mutation.ts';
import { playlistsKey } from './queries.ts';

/** The user's choices of this visit, by track id; they are newer than `like` in lists that are loaded already. */
const useLikes = create<Record<string, boolean>>()(() => ({}));

/** What the server last confirmed, by track id. */
const confirmedLikes = new Map<string, boolean>();

/** Records a like that was changed by another route, such as in the list of favourites itself. */
export function setLike(id: string, liked: boolean): void {
  confirmedLikes.set(id, liked);
  useLikes.setState({ [id]: liked });
}

/** Reverts a choice that failed: to what the server last confirmed, or else to what the lists have. */
function revertLike(id: string): void {
  const confirmed = confirmedLikes.get(id);
  useLikes.setState(({ [id]: _, ...others }) => {
    return confirmed === undefined ? others : { ...others, [id]: confirmed };
  }, true);
}

/** Forgets all choices when the user signs out. */
export function clearLikes(): void {
  confirmedLikes.clear();
  useLikes.setState({}, true);
}

/** The id of the user whose choices they are; undefined for the first one of a visit. */
let owner: string | undefined;

/** Forgets the choices of another user, whose session may have ended on a page for everybody. */
export function switchLikesUser(userId: string): void {
  if (owner !== undefined && owner !== userId) clearLikes();
  owner = userId;
}

/** Returns whether a track is a favourite (CAT-08), and a toggle that is shown at once and can be undone. */
export function useLike({ _id: id, like }: Pick<Track, '_id' | 'like'>) {
  const client = useQueryClient();
  const isLiked = useLikes((likes) => likes[id] ?? like);
  const scope = `favourite ${id}`;
  const toastId = useRef<number>(undefined);
  const { mutate } = useSerialMutation({
    scope,
    mutationFn: async (liked: boolean) => {
      // Only the last of several quick presses counts.
      if (client.isMutating(serialMutationFilter(scope)) > 1) return;
      await call(liked ? api.favourites.addFavourite : api.favourites.removeFavourite, { params: { id } });
      confirmedLikes.set(id, liked);
    },
    onError: () => toastId.current !== undefined && dismissToast(toastId.current),
    onMutate: (liked) => useLikes.setState({ [id]: liked }),
    onQueueSettled: (hasFailed) => {
      if (hasFailed) revertLike(id);
      // Also after a failure: the server may have made a change whose response was lost.
      void client.invalidateQueries({ queryKey: playlistsKey });
    },
  });

  const change = (liked: boolean): void => {
    const text = getT()(liked ? 'playlists.liked' : 'playlists.unliked');
    toastId.current = toastWithUndo(text, () => change(!liked));
    mutate(liked);
  };
  return { isLiked, toggle: () => change(!isLiked) };
}
