import { limits, type Track } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { play } from '#features/player/player.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { EmptyState, QueryError, WaveformIllustration } from '#shared/ui/states.tsx';
import { firstPageQuery, type LongList, tracksFrom } from '../list-pages.ts';
import type { Filters } from '../model/filters.ts';
import type { Listed } from '../model/resources.ts';
import { ArticleRow, type RowTools } from './article-row.tsx';
import { RowsSkeleton } from './rows-skeleton.tsx';

const PagedList = lazy(lazyImport(() => import('./paged-list.tsx')));
const none: readonly Track[] = [];

interface Props {
  title: string;
  listed: Listed;
  language: Filters['language'];
  Tools: RowTools;
}

/** A list of the catalogue, newest first, however long (CAT-04, CAT-09); it plays as a source by its name. */
export function ArticleList({ title, listed, language, Tools }: Props) {
  const t = useT();
  const client = useQueryClient();
  const query = useQuery(firstPageQuery(listed, language));
  const { data, error, isPaused } = query;
  const first = data?.docs ?? none;
  const list = useMemo<LongList>(
    () => ({ listed, language, first, after: first.at(-1)?._id ?? '' }),
    [listed, language, first],
  );
  const playAt = useCallback(
    (index: number) => play({ name: title, playlist: null }, tracksFrom(client, list, index), 0),
    [client, title, list],
  );
  if (!data && (error || isPaused)) return <QueryError query={query} />;
  if (!data) return <RowsSkeleton />;
  if (first.length === 0)
    return (
      <EmptyState
        illustration={<WaveformIllustration />}
        title={t('articles.emptyTitle')}
        text={t('articles.emptyText')}
      />
    );
  const total = data.totalDocs;
  return (
    <section aria-label={title} className="-mx-2 max-w-6xl">
      <p className="mx-2 mb-3 text-sm text-muted">{t.count('articles.found', total)}</p>
      {total > limits.pageSize.max ? (
        <Suspense fallback={<RowsSkeleton />}>
          <PagedList list={list} total={total} onPlay={playAt} Tools={Tools} />
        </Suspense>
      ) : (
        <ol>
          {first.map((track, index) => (
            <li key={track._id}>
              <ArticleRow track={track} index={index} onPlay={playAt} Tools={Tools} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
