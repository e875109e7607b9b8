import type { Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { openPicker } from '../picker.ts';
import { likedQuery } from '../queries.ts';
import { Heart } from './heart.tsx';

/** Heart and add-to-playlist, side by side, for the player. */
export function TrackButtons({ track }: { track: Track }) {
  const t = useT();
  const { data } = useQuery(likedQuery);
  const like = data ? data.ids.includes(track._id) || (!data.isAll && track.like) : track.like;
  return (
    <>
      <Heart track={{ ...track, like }} />
      <IconButton
        label={t('playlists.addTrack', { title: track.title })}
        aria-haspopup="dialog"
        onClick={() => openPicker(track)}
      >
        <ListPlus />
      </IconButton>
    </>
  );
}
