import type { Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Fragment, memo, use, useCallback, useDeferredValue } from 'react';
import {
  playFromList,
  type Source,
  TrackTools,
  useSavedPosition,
  useTrackButton,
} from '#features/player/player.ts';
import { isSubscribed, useIsLocked } from '#features/session/session.ts';
import { useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { EmptyState, InlineError, LoadingStatus, QueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { getProgressRatio, getRowTitle, toLevelList, toSource } from '../model/discover.ts';
import { discoverQuery } from '../queries.ts';
import { ContinueSection } from './continue-section.tsx';
import { PlayBadge, ProgressBar, Section } from './section.tsx';

const chipStyle =
  'rounded-full border border-line px-2 py-px text-[0.6875rem] leading-4 font-medium text-muted';

interface TrackCardProps {
  track: Track;
  index: number;
  isPriority: boolean;
  onPlay: (index: number) => void;
}

/** A cover with title, narrator, level and language; a press anywhere on it plays or pauses. */
const TrackCard = memo(({ track, index, isPriority, onPlay }: TrackCardProps) => {
  const t = useT();
  const format = useFormat();
  const Tools = use(TrackTools);
  const savedPosition = useSavedPosition(track);
  const { action, button } = useTrackButton(track, useIsLocked(track.url), () => onPlay(index));
  return (
    <li className="group relative snap-start">
      <div className="relative overflow-hidden rounded-md">
        <Cover
          src={track.image}
          size={320}
          loading={isPriority ? 'eager' : 'lazy'}
          fetchPriority={isPriority ? 'high' : 'auto'}
          className="aspect-square w-full transition-transform duration-200 group-hover:scale-102"
        />
        <PlayBadge
          action={action}
          className={clsx(
            'absolute right-2 bottom-2.5',
            action === 'lock' && 'size-7! [&_svg]:size-3.5!',
            action === 'play' &&
              'pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100',
          )}
        />
        <ProgressBar
          ratio={getProgressRatio(savedPosition, track.duration)}
          className="absolute inset-x-0 bottom-0 bg-ground/60"
        />
      </div>
      <h3 lang={track.language} className="mt-2.5 mr-7 line-clamp-2 text-sm font-semibold">
        {track.title}
      </h3>
      <p className="mt-0.5 truncate text-xs text-muted">
        {track.artist} · {format.duration(track.duration)}
      </p>
      <p className="mt-1.5 flex flex-wrap gap-1.5">
        <span className={chipStyle}>{track.level}</span>
        <span className={chipStyle}>{t(`discover.language_${track.language}`)}</span>
      </p>
      <button type="button" {...button} className="absolute inset-0 rounded-md" />
      <Tools track={track} />
    </li>
  );
});

/** How many covers of the first section are in view on every screen; the browser chooses among the others. */
const PRIORITY_COVERS = 3;

interface TrackSectionProps {
  title: string;
  source: Source;
  tracks: readonly Track[];
  isFirst?: boolean;
}

/** A section of tracks that plays as a source of its own (CAT-02). */
function TrackSection({ title, source: { name, playlist }, tracks, isFirst = false }: TrackSectionProps) {
  const playAt = useCallback(
    (index: number) => playFromList(isSubscribed(), { name, playlist }, tracks, index),
    [name, playlist, tracks],
  );
  return (
    <Section title={title} itemSize="covers" firstKey={tracks[0]?._id ?? ''}>
      {tracks.map((track, index) => (
        <TrackCard
          key={track._id}
          track={track}
          index={index}
          isPriority={isFirst && index < PRIORITY_COVERS}
          onPlay={playAt}
        />
      ))}
    </Section>
  );
}

/** The classes of a section's placeholders, as many as it shows at each width. */
const skeletonCards = ['', '', 'max-sm:hidden', 'max-lg:hidden', 'max-lg:hidden', 'max-xl:hidden'];

/** The placeholder of two sections, in their shape. */
export const SectionsSkeleton = () => (
  <LoadingStatus className="grid gap-9">
    {['first', 'second'].map((section) => (
      <div key={section}>
        <Skeleton className="mt-2.5 mb-6 h-6 w-48" />
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5 xl:grid-cols-6">
          {skeletonCards.map((className, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change
            <div key={index} className={className}>
              <Skeleton className="aspect-square w-full" />
              <Skeleton className="mt-3 h-4 w-11/12" />
              <Skeleton className="mt-2 h-3.5 w-2/3" />
            </div>
          ))}
        </div>
      </div>
    ))}
  </LoadingStatus>
);

/** How many sections are in view before scrolling on most screens. */
const INITIAL_ROWS = 2;

/** The sections of Discover (CAT-02): continue listening and one for each system playlist; or why there are none (CAT-09). */
export function DiscoverSections({ userId }: { userId: string }) {
  const t = useT();
  const language = useLanguage();
  const query = useQuery(discoverQuery(userId));
  const { data, dataUpdatedAt, error, refetch } = query;
  // The sections in view are rendered first; data of this visit at once, so that going back restores the scroll position.
  const rowCount = data ? data.rows.length : INITIAL_ROWS;
  const renderedRows = useDeferredValue(rowCount, dataUpdatedAt > 0 ? rowCount : INITIAL_ROWS);
  if (!data)
    return (
      <div className="grid grid-cols-1 gap-9">
        <ContinueSection rows={[]} />
        <QueryFallback query={query} title={t('discover.failedTitle')} loading={<SectionsSkeleton />} />
      </div>
    );
  const levelList = toLevelList(t, data);
  const rows = data.rows.filter(({ tracks }) => tracks.length > 0);
  return (
    <div className="grid grid-cols-1 gap-9">
      {error && (
        // The stored response stays in view.
        <InlineError text={t('discover.failedTitle')} onRetry={() => void refetch()} />
      )}
      <ContinueSection rows={rows} />
      {rows.slice(0, renderedRows).map(({ playlist, tracks }, index) => (
        <Fragment key={playlist._id}>
          <TrackSection
            title={getRowTitle(playlist, language)}
            source={toSource(playlist)}
            tracks={tracks}
            isFirst={index === 0}
          />
          {index === 0 && levelList && <TrackSection title={levelList.source.name} {...levelList} />}
        </Fragment>
      ))}
      {rows.length === 0 && (
        <EmptyState
          title={t('discover.emptyTitle')}
          text={t('discover.emptyText')}
          action={<Button onClick={() => void refetch()}>{t('discover.emptyAction')}</Button>}
        />
      )}
    </div>
  );
}
