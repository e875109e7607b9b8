import type { Track } from '@escucho/contracts';
import { type ComponentType, memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { togglePlayback, useTrackAction, useTrackStatus } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { cn } from '#shared/ui/cn.ts';
import { RowCover } from '#shared/ui/row-cover.tsx';

/** What else can be done with a track; handed in by the app. */
export type RowTools = ComponentType<{ track: Track }>;

interface Props {
  track: Track;
  index: number;
  onPlay: (index: number) => void;
  Tools: RowTools;
  /** The title with what was found in it. */
  title?: ReactNode;
  /** What stands over it is a heading of the level before. */
  level?: 2 | 3;
  /** Stands below, e.g. the sentence that was found. */
  children?: ReactNode;
}

const words = { play: 'discover.play', pause: 'discover.pause', lock: 'discover.playLocked' } as const;

/** An article in a list: its cover plays it, its title leads to its page. */
export const ArticleRow = memo(({ track, index, onPlay, Tools, title, level = 2, children }: Props) => {
  const t = useT();
  const format = useFormat();
  const standing = useTrackStatus(track._id);
  const does = useTrackAction(track._id, useIsLocked(track.url));
  const isPlaying = does === 'pause';
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <article
      className={cn(
        'group flex gap-3 rounded-md px-2 py-2 hover:bg-hover',
        standing !== 'absent' && 'bg-accent-soft',
      )}
    >
      <button
        type="button"
        aria-label={t(words[does], { title: track.title })}
        onClick={() => (isPlaying ? togglePlayback() : onPlay(index))}
        className="relative size-12 shrink-0 overflow-hidden rounded-sm sm:size-16"
      >
        <RowCover src={track.image} does={does} />
      </button>
      <div className="min-w-0 flex-1 self-center">
        <Heading lang={track.language}>
          <Link
            to={paths.article(track._id)}
            className={cn(
              'line-clamp-2 font-medium hover:underline',
              standing !== 'absent' && 'text-accent-text',
            )}
          >
            {title ?? track.title}
          </Link>
        </Heading>
        <p className="truncate text-xs text-muted">
          {track.artist} · {format.duration(track.duration)} · {track.level} ·{' '}
          {t(track.language === 'en' ? 'discover.languageEn' : 'discover.languageEs')}
        </p>
        {children}
      </div>
      <div className="hidden shrink-0 items-center sm:flex">
        <Tools track={track} />
      </div>
    </article>
  );
});
