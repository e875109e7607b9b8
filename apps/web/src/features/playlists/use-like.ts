import type { Track } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { currentT } from '#shared/i18n/i18n.ts';
import { sayFailure } from '#shared/say-failure.ts';
import { toast } from '#shared/ui/toast.ts';
import { setLiked, useIsLiked } from './likes.ts';
import { playlistsKey } from './queries.ts';

/** Whether a track is a favourite, and a press on its heart (CAT-08): said at once, with a way back. */
export function useLike(track: Track): { isLiked: boolean; toggle: () => void } {
  const client = useQueryClient();
  const isLiked = useIsLiked(track);

  const say = (liked: boolean): void => {
    const t = currentT();
    toast(t(liked ? 'playlists.liked' : 'playlists.unliked'), 'success', 'top-right', {
      label: t('common.undo'),
      run: () => say(!liked),
    });
    setLiked(track._id, liked)
      .then(() => client.invalidateQueries({ queryKey: playlistsKey }))
      .catch(sayFailure);
  };
  return { isLiked, toggle: () => say(!isLiked) };
}
