import type { HistoryEntry } from '@escucho/contracts';
import { LockKeyhole, Pause, Play, X } from 'lucide-react';
import { toggle, usePress } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';

const words = { play: 'history.play', pause: 'history.pause', lock: 'history.playLocked' } as const;
const icons = { play: Play, pause: Pause, lock: LockKeyhole } as const;

interface Props {
  heard: HistoryEntry;
  onPlay: () => void;
  onRemove: () => void;
}

/** Something heard: what, by whom, when; a press plays it again. */
export function HistoryRow({ heard, onPlay, onRemove }: Props) {
  const t = useT();
  const format = useFormat();
  const does = usePress(heard._id, useIsLocked(heard.audio));
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
        aria-label={t(words[does], { title: heard.title })}
        onClick={() => (isPlaying ? toggle() : onPlay())}
        className="absolute inset-0 rounded-md"
      />
      <img
        src={heard.image}
        alt=""
        width={48}
        height={48}
        loading="lazy"
        decoding="async"
        className="size-12 shrink-0 rounded-sm bg-overlay object-cover"
      />
      <span className="min-w-0 flex-1">
        <span lang={heard.language} className="block truncate text-sm font-medium">
          {heard.title}
        </span>
        <span className="block truncate text-xs text-muted">
          {heard.narrator.name} · {format.minutes(heard.duration)}
          <span className="sm:hidden"> · {format.date(heard.heardAt)}</span>
        </span>
      </span>
      <time dateTime={heard.heardAt} className="text-xs text-muted max-sm:hidden">
        {format.date(heard.heardAt)}
      </time>
      <Icon aria-hidden className="size-4 shrink-0 text-muted max-sm:hidden" />
      <IconButton
        label={t('history.remove', { title: heard.title })}
        onClick={onRemove}
        className="relative z-1 -mr-2"
      >
        <X />
      </IconButton>
    </div>
  );
}
