import { useQuery } from '@tanstack/react-query';
import { Fragment, useDeferredValue } from 'react';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { EmptyState, QueryError, WaveformIllustration } from '#shared/ui/states.tsx';
import { rowTitle, sourceOf } from '../model/shelves.ts';
import { discoverQuery } from '../queries.ts';
import { ContinueShelf } from './continue-shelf.tsx';
import { ShelvesSkeleton } from './shelves-skeleton.tsx';
import type { TrackTools } from './track-card.tsx';
import { TrackShelf } from './track-shelf.tsx';

/** How many rows are seen before scrolling on most screens. */
const rowsInSight = 2;

/** Discover's rows for a reader, by id (CAT-02): what was begun, then one for each system playlist; or why there are none (CAT-09). */
export function Shelves({ reader, Tools }: { reader: string; Tools: TrackTools }) {
  const t = useT();
  const language = useLanguage();
  const query = useQuery(discoverQuery(reader));
  const { data, dataUpdatedAt, error, isPaused, refetch } = query;
  // What is in sight is drawn first; an answer of this visit is drawn whole, so that going back finds its place.
  const all = data ? data.rows.length : rowsInSight;
  const drawn = useDeferredValue(all, dataUpdatedAt > 0 ? all : rowsInSight);
  if (!data && (error || isPaused))
    return (
      <div className="grid grid-cols-1 gap-9">
        <ContinueShelf rows={[]} />
        <QueryError query={query} title={t('discover.failedTitle')} />
      </div>
    );
  if (!data)
    return (
      <div className="grid grid-cols-1 gap-9">
        <ContinueShelf rows={[]} />
        <ShelvesSkeleton />
      </div>
    );
  const next = data.atLevel && {
    source: { name: t('discover.atLevel', { level: data.atLevel.level }), playlist: null },
    tracks: data.atLevel.tracks,
  };
  const rows = data.rows.filter(({ tracks }) => tracks.length > 0);
  return (
    <div className="grid grid-cols-1 gap-9">
      {error && (
        // What was seen last is shown all the same.
        <div role="alert" className="flex flex-wrap items-center gap-4 text-muted">
          {t('discover.failedTitle')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </div>
      )}
      <ContinueShelf rows={rows} />
      {rows.slice(0, drawn).map(({ playlist, tracks }, index) => (
        <Fragment key={playlist._id}>
          <TrackShelf
            title={rowTitle(playlist, language)}
            source={sourceOf(playlist)}
            tracks={tracks}
            isFirst={index === 0}
            Tools={Tools}
          />
          {index === 0 && next && (
            <TrackShelf title={next.source.name} source={next.source} tracks={next.tracks} Tools={Tools} />
          )}
        </Fragment>
      ))}
      {rows.length === 0 && (
        <EmptyState
          illustration={<WaveformIllustration />}
          title={t('discover.emptyTitle')}
          text={t('discover.emptyText')}
          action={<Button onClick={() => void refetch()}>{t('discover.emptyAction')}</Button>}
        />
      )}
    </div>
  );
}
