import type { Track } from '@escucho/contracts';
import { ListPlus } from 'lucide-react';
import { useT } from '../../../shared/i18n/i18n.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { openPicker } from '../picker.ts';
import { Heart } from './heart.tsx';

/** Heart and add-to-playlist, side by side, for the player. */
export function TrackButtons({ track }: { track: Track }) {
  const t = useT();
  return (
    <>
      <Heart track={track} />
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
