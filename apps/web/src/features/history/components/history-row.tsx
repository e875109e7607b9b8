import type { HistoryEntry } from '@escucho/contracts';
import { LockKeyhole, Pause, Play, X } from 'lucide-react';
import { togglePlayback, useTrackAction } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';

const words = { play: 'history.play', pause: 'history.pause', lock: 'history.playLocked' } as const;
const icons = { play: Play, pause: Pause, lock: LockKeyhole } as const;

interface Props {
  entry: HistoryEntry;
  onPlay: () => void;
  onRemove: () => void;
}

/** Something heard: what, by whom, when; a press plays it again. */
export function HistoryRow({ entry, onPlay, onRemove }: Props) {
  const t = useT();
  const format = useFormat();
  const does = useTrackAction(entry._id, useIsLocked(entry.audio));
  const isPlaying = does === 'pause';
  const Icon = icons[does];
  return (
    <div
      className={cn(
        'relative flex items-center gap-3 rounded-md px-2 py-2 hover:bg-hover',
        isPlaying && 'bg-accent-soft',
      )}
    >
      <button
        type="button"
        aria-label={t(words[does], { title: entry.title })}
        onClick={() => (isPlaying ? togglePlayback() : onPlay())}
        className="absolute inset-0 rounded-md"
      />
      <img
        src={entry.image}
        alt=""
        width={48}
        height={48}
        loading="lazy"
        decoding="async"
        className="size-12 shrink-0 rounded-sm bg-overlay object-cover"
      />
      <span className="min-w-0 flex-1">
        <span lang={entry.language} className="block truncate text-sm font-medium">
          {entry.title}
        </span>
        <span className="block truncate text-xs text-muted">
          {entry.narrator.name} · {format.duration(entry.duration)}
          <span className="sm:hidden"> · {format.date(entry.heardAt)}</span>
        </span>
      </span>
      <time dateTime={entry.heardAt} className="text-xs text-muted max-sm:hidden">
        {format.date(entry.heardAt)}
      </time>
      <Icon aria-hidden className="size-4 shrink-0 text-muted max-sm:hidden" />
      <IconButton
        label={t('history.remove', { title: entry.title })}
        onClick={onRemove}
        className="relative z-1 -mr-2"
      >
        <X />
      </IconButton>
    </div>
  );
}
