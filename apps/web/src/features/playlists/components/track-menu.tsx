import type { Track } from '@escucho/contracts';
import { EllipsisVertical, Heart, HeartOff, ListPlus } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Menu, type MenuEntry } from '#shared/ui/menu.tsx';
import { openPicker } from '../picker.ts';
import { useLike } from '../use-like.ts';

interface Props {
  track: Track;
  /** What the place of the menu adds, e.g. taking the track out of a list. */
  more?: readonly MenuEntry[];
  className?: string;
}

/** Everything that can be done with a track besides playing it. */
export function TrackMenu({ track, more = [], className }: Props) {
  const t = useT();
  const { isLiked, toggle } = useLike(track);
  return (
    <Menu
      trigger={
        <IconButton label={t('playlists.more', { title: track.title })} className={className}>
          <EllipsisVertical />
        </IconButton>
      }
      items={() => [
        {
          id: 'add',
          label: t('playlists.add'),
          icon: <ListPlus />,
          onSelect: () => openPicker(track),
          opensDialog: true,
        },
        {
          id: 'like',
          label: t(isLiked ? 'playlists.unlikeShort' : 'playlists.likeShort'),
          icon: isLiked ? <HeartOff /> : <Heart />,
          onSelect: toggle,
        },
        ...more,
      ]}
    />
  );
}
