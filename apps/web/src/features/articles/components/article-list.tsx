import { limits, type Track } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { play } from '#features/player/player.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { LazySection } from '#shared/ui/lazy-boundary.tsx';
import { EmptyState, QueryFallback, WaveformIllustration } from '#shared/ui/states.tsx';
import { firstPageQuery, getTracksFrom, type PagedList as List } from '../list-queries.ts';
import type { ListFilter, SearchFilters } from '../model/filters.ts';
import { ArticleRow, RowsSkeleton, type RowTools } from './article-row.tsx';

const PagedList = lazyComponent(async () => (await import('./paged-list.tsx')).PagedList);
const noTracks: readonly Track[] = [];

interface Props {
  title: string;
  filter: ListFilter;
  language: SearchFilters['language'];
  Tools: RowTools;
}

/**
 * A list of the catalogue, newest first, of any length (CAT-04, CAT-09). Title and language name it as a source of the
 * player.
 */
export function ArticleList({ title, filter, language, Tools }: Props) {
  const t = useT();
  const client = useQueryClient();
  const query = useQuery(firstPageQuery(filter, language));
  const { data } = query;
  const firstPage = data?.docs ?? noTracks;
  const list = useMemo<List>(
    () => ({ filter, language, firstPage, cursor: firstPage.at(-1)?._id ?? '' }),
    [filter, language, firstPage],
  );
  const playAt = useCallback(
    (index: number) => {
      // In another language it is another list, which replaces the queue (PLAY-02).
      const name = language ? `${title} · ${language}` : title;
      play({ name, playlist: null }, getTracksFrom(client, list, index), 0);
    },
    [client, title, language, list],
  );
  if (!data) return <QueryFallback query={query} loading={<RowsSkeleton />} />;
  if (firstPage.length === 0)
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
        <LazySection fallback={<RowsSkeleton />}>
          <PagedList list={list} total={total} onPlay={playAt} Tools={Tools} />
        </LazySection>
      ) : (
        <ol>
          {firstPage.map((track, index) => (
            <li key={track._id}>
              <ArticleRow track={track} index={index} onPlay={playAt} Tools={Tools} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
