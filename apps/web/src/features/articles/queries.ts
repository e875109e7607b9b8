import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';
import { type SearchFilters, toFilterParams } from './model/filters.ts';

const BROWSE_STALE_MS = 5 * 60_000;

/** Queries what a term finds, best first, page by page (CAT-03); the previous result is shown until the next is loaded. */
export const searchQuery = (term: string, filters: SearchFilters) =>
  infiniteQueryOptions({
    queryKey: ['search', term, toFilterParams(filters)],
    queryFn: ({ pageParam: page, signal }) =>
      call(
        api.search.search,
        { query: { q: term, ...toFilterParams(filters), page, limit: limits.pageSize.default } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    placeholderData: keepPreviousData,
  });

/** Queries what there is to browse without a term (CAT-03). */
export const browseQuery = queryOptions({
  queryKey: ['browse'],
  queryFn: ({ signal }) => call(api.articles.browse, { query: {} }, { signal }),
  staleTime: BROWSE_STALE_MS,
});

/** Queries an article with its text, its track and related tracks (CAT-04). */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['articles', id],
    queryFn: ({ signal }) => call(api.articles.readArticle, { params: { id } }, { signal }),
  });
