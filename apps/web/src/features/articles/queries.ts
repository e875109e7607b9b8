import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';
import { type SearchFilters, toFilterParams } from './model/filters.ts';

const BROWSE_STALE_MS = 5 * 60_000;

/** The request for a page of what a term finds. */
export const searchRequest = (term: string, filters: SearchFilters, page = 1) =>
  [
    api.search.search,
    { query: { q: term, ...toFilterParams(filters), page, limit: limits.pageSize.default } },
  ] as const;

/** Queries what a term finds, best first, page by page (CAT-03); the previous result is shown until the next is loaded. */
export const searchQuery = (term: string, filters: SearchFilters) =>
  infiniteQueryOptions({
    queryKey: ['search', term, toFilterParams(filters)],
    queryFn: ({ pageParam: page, signal }) => call(...searchRequest(term, filters, page), { signal }),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    placeholderData: keepPreviousData,
  });

/** The request for how many articles each further filter would leave. */
export const facetsRequest = (filters: SearchFilters) =>
  [api.search.search, { query: { q: '', ...toFilterParams(filters), limit: 1 } }] as const;

/** Queries how many articles each further filter would leave of those that match the filters (CAT-03). */
export const facetsQuery = (filters: SearchFilters) =>
  queryOptions({
    queryKey: ['search', 'facets', toFilterParams(filters)],
    queryFn: ({ signal }) => call(...facetsRequest(filters), { signal }),
    staleTime: BROWSE_STALE_MS,
    placeholderData: keepPreviousData,
  });

/** The request for what there is to browse. */
export const browseRequest = (language: SearchFilters['language']) =>
  [api.articles.browse, { query: { ...(language && { language }) } }] as const;

/** Queries what there is to browse without a term, in one language or all (CAT-03). */
export const browseQuery = (language: SearchFilters['language']) =>
  queryOptions({
    queryKey: ['browse', language],
    queryFn: ({ signal }) => call(...browseRequest(language), { signal }),
    staleTime: BROWSE_STALE_MS,
    placeholderData: keepPreviousData,
  });

/** The request for an article's page. */
export const articleRequest = (id: string) => [api.articles.readArticle, { params: { id } }] as const;

/** Queries an article with its text, its track and related tracks (CAT-04). */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['articles', id],
    queryFn: ({ signal }) => call(...articleRequest(id), { signal }),
  });
