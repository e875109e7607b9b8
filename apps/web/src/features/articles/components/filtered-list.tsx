import { contentLanguage, limits, type Track } from '@escucho/contracts';
import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { play } from '#features/player/player.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { LazySection } from '#shared/ui/lazy-boundary.tsx';
import { VirtualList } from '#shared/ui/load-more.tsx';
import { EmptyState, InlineError, QueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { type FilterName, filterNames, type ListFilter, type SearchFilters } from '../model/filters.ts';
import {
  facetsQuery,
  firstPageQuery,
  getTracksFrom,
  type PagedList as List,
  PAGE_SIZE,
  pageQuery,
} from '../queries.ts';
import { ArticleRow, RowsSkeleton } from './article-row.tsx';
import { FilterBar } from './filter-bar.tsx';

/** The error of a page is shown in every so many rows, so that at least one of them is in view. */
const ERROR_ROW_INTERVAL = 4;

interface PagedListProps {
  list: List;
  total: number;
  onPlay: (index: number) => void;
}

/** A row that requests its page when it is rendered. All rows have the same height, so that scroll positions are stable. */
function PagedRow({ list, index, onPlay }: Omit<PagedListProps, 'total'> & { index: number }) {
  const t = useT();
  const page = Math.floor(index / PAGE_SIZE);
  const { data, isError, isPaused, refetch } = useQuery({ ...pageQuery(list, page), enabled: page > 0 });
  const docs = page === 0 ? list.firstPage : data?.docs;
  const isNextNear = docs?.length === PAGE_SIZE && index % PAGE_SIZE >= PAGE_SIZE / 2;
  usePrefetchQuery(pageQuery(list, isNextNear ? page + 1 : page));
  const track = docs?.[index % PAGE_SIZE];
  const hasFailed = !docs && (isError || isPaused);
  return (
    <div className="grid min-h-20 content-center">
      {track && <ArticleRow track={track} index={index} onPlay={onPlay} />}
      {!docs && !hasFailed && <Skeleton className="mx-2 h-12 sm:h-16" />}
      {hasFailed && index % ERROR_ROW_INTERVAL === 0 && (
        <InlineError
          text={t(isPaused ? 'common.network' : 'common.moreFailed')}
          onRetry={() => void refetch()}
          className="flex items-center justify-center gap-3 text-sm text-muted"
        />
      )}
    </div>
  );
}

/** Returns the height of a row, in pixels, which places every row of the list before its page is loaded. */
const getRowHeight = (): number => 5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** A list of any length that renders only the rows near the viewport and holds a few pages in memory (CAT-09). */
function PagedList({ list, total, onPlay }: PagedListProps) {
  const items = useMemo(() => Array.from({ length: Math.min(total, limits.list.shown) }), [total]);
  return (
    <VirtualList items={items} total={total} itemSize={getRowHeight()}>
      {(index) => <PagedRow list={list} index={index} onPlay={onPlay} />}
    </VirtualList>
  );
}

const noTracks: readonly Track[] = [];

interface ArticleListProps {
  title: string;
  filter: ListFilter;
  language: SearchFilters['language'];
}

/**
 * A list of the catalogue, newest first, of any length (CAT-04, CAT-09). Title and language name it as a source of the
 * player.
 */
function ArticleList({ title, filter, language }: ArticleListProps) {
  const t = useT();
  const client = useQueryClient();
  const query = useQuery(firstPageQuery(filter, language));
  const { data } = query;
  const firstPage = data?.docs ?? noTracks;
  const list = useMemo<List>(() => ({ filter, language, firstPage }), [filter, language, firstPage]);
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
    return <EmptyState title={t('articles.emptyTitle')} text={t('articles.emptyText')} />;
  const total = data.totalDocs;
  return (
    <section aria-label={title} className="-mx-2 max-w-6xl">
      <p className="mx-2 mb-3 text-sm text-muted">{t.count('articles.found', total)}</p>
      {total > limits.pageSize.max ? (
        <LazySection fallback={<RowsSkeleton />}>
          <PagedList list={list} total={total} onPlay={playAt} />
        </LazySection>
      ) : (
        <ol>
          {firstPage.map((track, index) => (
            <li key={track._id}>
              <ArticleRow track={track} index={index} onPlay={playAt} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const SearchResults = lazyComponent(async () => (await import('./search-results.tsx')).SearchResults);

/** The only filter of a narrator's list: search does not filter by narrator. */
const languageFacets = {
  language: contentLanguage.options.map((value) => ({ value, count: null })),
};

interface FilteredListProps {
  title: string;
  filter: ListFilter;
  /** The filters of the address. */
  filters: SearchFilters;
  onFilter: (values: Record<string, string>) => void;
}

/**
 * A list of the catalogue with its filters (CAT-03, CAT-04). With no filter but the language it has any length; with
 * another it is a search without words.
 */
export function FilteredList({ title, filter, filters, onFilter }: FilteredListProps) {
  const { narrator, ...fixedFilters } = filter;
  const names: readonly FilterName[] =
    narrator === undefined ? filterNames.filter((name) => !(name in fixedFilters)) : ['language'];
  const { language, ...otherFilters } = { ...filters, ...fixedFilters };
  const isSearch =
    narrator === undefined && names.some((name) => name !== 'language' && filters[name] !== undefined);
  const searchFilters = { ...otherFilters, language };
  const facets = useQuery({ ...facetsQuery(searchFilters), enabled: narrator === undefined && !isSearch });
  if (isSearch)
    return (
      <LazySection fallback={<RowsSkeleton />}>
        <SearchResults term="" filters={searchFilters} names={names} source={title} onFilter={onFilter} />
      </LazySection>
    );
  return (
    <>
      <FilterBar
        names={names}
        facets={narrator === undefined ? facets.data?.facets : languageFacets}
        isSampled={facets.data?.isSampled ?? false}
        filters={filters}
        onChange={onFilter}
      />
      <ArticleList title={title} filter={filter} language={language} />
    </>
  );
}
