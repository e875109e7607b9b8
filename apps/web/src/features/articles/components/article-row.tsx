import type { Track } from '@escucho/contracts';
import { clsx } from 'clsx';
import { type ComponentProps, memo, type ReactNode, use } from 'react';
import { Link } from 'wouter';
import { TrackTools, useTrackButton, useTrackStatus } from '#features/player/player.ts';
import { useIsLocked } from '#features/session/session.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { ActionButton, RowCover } from '#shared/ui/cover.tsx';
import { LoadingList } from '#shared/ui/states.tsx';

interface Props {
  track: Track;
  index: number;
  onPlay: (index: number) => void;
  /** The title with highlighted matches. */
  title?: ReactNode;
  /** The level of its heading. */
  level?: 2 | 3;
  /** Shown below, such as the sentence that was found. */
  children?: ReactNode;
}

/** An article in a list: its cover plays it, its title links to its page. */
export const ArticleRow = memo(({ track, index, onPlay, title, level = 2, children }: Props) => {
  const t = useT();
  const format = useFormat();
  const Tools = use(TrackTools);
  const isActive = useTrackStatus(track._id) !== 'absent';
  const { action, button } = useTrackButton(track, useIsLocked(track.url), () => onPlay(index));
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <article
      className={clsx('group flex gap-3 rounded-md px-2 py-2 hover:bg-hover', isActive && 'bg-accent-soft')}
    >
      <button
        type="button"
        {...button}
        className="relative size-12 shrink-0 overflow-hidden rounded-sm sm:size-16"
      >
        <RowCover src={track.image} action={action} />
      </button>
      <div className="min-w-0 flex-1 self-center">
        <Heading lang={track.language}>
          <Link
            to={paths.article(track._id)}
            className={clsx('line-clamp-2 font-medium hover:underline', isActive && 'text-accent-text')}
          >
            {title ?? track.title}
          </Link>
        </Heading>
        <p className="truncate text-xs text-muted">
          {track.artist} · {format.duration(track.duration)} · {track.level} ·{' '}
          {t(`discover.language_${track.language}`)}
        </p>
        {children}
      </div>
      {/* Phones have room for the menu, which holds the like as well. */}
      <div className="flex shrink-0 items-center max-sm:-mr-2 max-sm:[&>:first-child:not(:only-child)]:hidden">
        <Tools track={track} />
      </div>
    </article>
  );
});

/** The placeholder of rows that are loading. */
export const RowsSkeleton = () => <LoadingList count={6} itemClassName="h-12 sm:h-16" />;

/** The button that plays an article or a book; screen readers say whether that needs a subscription. */
export function ListenButton(props: ComponentProps<typeof ActionButton>) {
  const t = useT();
  return (
    <ActionButton aria-label={props.action === 'lock' ? t('articles.listenLocked') : undefined} {...props} />
  );
}
