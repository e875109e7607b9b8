import type { Track } from '@escucho/contracts';
import { ListStart, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Cover } from './cover.tsx';
import { Equalizer } from './equalizer.tsx';

interface Props {
  track: Track;
  isActive: boolean;
  handle: ReactNode;
  onSkip: () => void;
  /** Null where it plays next anyway. */
  onPlayNext: (() => void) | null;
  onRemove: () => void;
}

/** A track of the queue: a press skips to it. */
export function QueueRow({ track, isActive, handle, ...does }: Props) {
  const t = useT();
  const format = useFormat();
  const { title } = track;
  return (
    <div
      data-row={track._id}
      className={cn('relative flex items-center rounded-md', isActive ? 'bg-accent-soft' : 'hover:bg-hover')}
    >
      {handle}
      <button
        type="button"
        aria-current={isActive ? 'true' : undefined}
        onClick={does.onSkip}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md py-2 text-left"
      >
        <span className="relative shrink-0 max-[22rem]:hidden">
          <Cover src={track.image} size={48} className="size-12 rounded-sm" />
          {isActive && (
            <span className="absolute inset-0 grid place-items-center rounded-sm bg-veil text-accent">
              <Equalizer />
            </span>
          )}
        </span>
        <span className="min-w-0 flex-1">
          <span
            lang={track.language}
            className={cn('line-clamp-2 text-sm leading-tight font-medium', isActive && 'text-accent-text')}
          >
            {title}
          </span>
          <span className="block truncate text-xs text-muted">
            {track.artist} · {format.time(track.duration)}
          </span>
        </span>
      </button>
      {does.onPlayNext && (
        <IconButton label={t('queue.playNext', { title })} onClick={does.onPlayNext}>
          <ListStart />
        </IconButton>
      )}
      <IconButton data-remove label={t('queue.remove', { title })} onClick={does.onRemove}>
        <X />
      </IconButton>
    </div>
  );
}
