import type { Track } from '@escucho/contracts';
import { Heart as HeartIcon } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { useLike } from '../use-like.ts';

/** The heart on a track (CAT-08). */
export function Heart({ track, className }: { track: Track; className?: string }) {
  const t = useT();
  const { isLiked, toggle } = useLike(track);
  return (
    <IconButton
      label={t(isLiked ? 'playlists.unlike' : 'playlists.like', { title: track.title })}
      onClick={toggle}
      className={cn(isLiked && 'text-accent-text!', className)}
    >
      <HeartIcon fill={isLiked ? 'currentColor' : 'none'} />
    </IconButton>
  );
}
