import { useQuery } from '@tanstack/react-query';
import { Fragment, useDeferredValue } from 'react';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { EmptyState, InlineError, LoadingStatus, QueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { getRowTitle, toSource } from '../model/discover.ts';
import { discoverQuery } from '../queries.ts';
import { ContinueSection } from './continue-section.tsx';
import { TrackSection, type TrackTools } from './track-section.tsx';

/** The placeholders of a section, as many as it shows at each width. */
const skeletonCards = [
  { name: 'a', className: '' },
  { name: 'b', className: '' },
  { name: 'c', className: 'max-sm:hidden' },
  { name: 'd', className: 'max-lg:hidden' },
  { name: 'e', className: 'max-lg:hidden' },
  { name: 'f', className: 'max-xl:hidden' },
];

/** The placeholder of two sections, in their shape. */
export const SectionsSkeleton = () => (
  <LoadingStatus className="grid gap-9">
    {['first', 'second'].map((section) => (
      <div key={section}>
        <Skeleton className="mt-2.5 mb-6 h-6 w-48" />
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5 xl:grid-cols-6">
          {skeletonCards.map(({ name, className }) => (
            <div key={name} className={className}>
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
export function DiscoverSections({ userId, Tools }: { userId: string; Tools: TrackTools }) {
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
  const levelRow = data.atLevel && {
    source: { name: t('discover.atLevel', { level: data.atLevel.level }), playlist: null },
    tracks: data.atLevel.tracks,
  };
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
            Tools={Tools}
          />
          {index === 0 && levelRow && (
            <TrackSection
              title={levelRow.source.name}
              source={levelRow.source}
              tracks={levelRow.tracks}
              Tools={Tools}
            />
          )}
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
