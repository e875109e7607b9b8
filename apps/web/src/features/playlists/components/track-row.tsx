import type { Track } from '@escucho/contracts';
import { lazy, memo, type ReactNode, Suspense } from 'react';
import { toggle, usePress, useStanding } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { later } from '#shared/part.ts';
import { cn } from '#shared/ui/cn.ts';
import type { MenuEntry } from '#shared/ui/menu.tsx';
import { RowCover } from '#shared/ui/row-cover.tsx';

const RowTools = lazy(later(() => import('./row-tools.tsx')));

interface Props {
  track: Track;
  onPlay: () => void;
  /** Stands before the cover, e.g. a handle. */
  start?: ReactNode;
  more?: readonly MenuEntry[];
  isDragged?: boolean;
  /** Something would land on this side. */
  mark?: 'before' | 'after' | undefined;
}

const words = { play: 'playlists.play', pause: 'playlists.pause', lock: 'playlists.playLocked' } as const;

/** A track of a list: a press anywhere on it plays or pauses. */
export const TrackRow = memo(({ track, onPlay, start, more, isDragged = false, mark }: Props) => {
  const t = useT();
  const format = useFormat();
  const standing = useStanding(track._id);
  const does = usePress(track._id, useIsLocked(track.url));
  const isPlaying = does === 'pause';
  return (
    <div
      data-row={track._id}
      className={cn(
        'group relative flex items-center gap-3 rounded-md px-2 py-2 hover:bg-hover',
        standing !== 'absent' && 'bg-accent-soft',
        isDragged && 'opacity-40',
      )}
    >
      <button
        type="button"
        aria-label={t(words[does], { title: track.title })}
        onClick={() => (isPlaying ? toggle() : onPlay())}
        className="absolute inset-0 rounded-md"
      />
      {start}
      <span className="pointer-events-none relative size-12 shrink-0 overflow-hidden rounded-sm">
        <RowCover src={track.image} does={does} />
      </span>
      <span className="pointer-events-none min-w-0 flex-1">
        <span
          lang={track.language}
          className={cn('block truncate text-sm font-medium', standing !== 'absent' && 'text-accent-text')}
        >
          {track.title}
        </span>
        <span className="block truncate text-xs text-muted">
          {track.artist} · {track.level}
          <span className="sm:hidden"> · {format.clock(track.duration)}</span>
        </span>
      </span>
      <Suspense fallback={<span className="h-11" />}>
        <RowTools track={track} more={more ?? []} />
      </Suspense>
      {mark && (
        <span
          aria-hidden
          className={cn(
            'absolute inset-x-2 h-0.5 rounded-full bg-accent',
            mark === 'before' ? '-top-px' : '-bottom-px',
          )}
        />
      )}
    </div>
  );
});
