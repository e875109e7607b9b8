import { api, limits, type ResponseBody, type Track } from '@escucho/contracts';
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';
import type { ListFilter, SearchFilters } from './model/filters.ts';

const BROWSE_STALE_MS = 5 * 60_000;

/** The request for a page of what a term finds. */
export const searchRequest = (term: string, filters: SearchFilters, page = 1) =>
  [api.catalogue.search, { query: { q: term, ...filters, page, limit: limits.pageSize.default } }] as const;

/** Queries what a term finds, best first, page by page (CAT-03); the previous result is shown until the next is loaded. */
export const searchQuery = (term: string, filters: SearchFilters) =>
  infiniteQueryOptions({
    queryKey: ['search', term, filters],
    queryFn: ({ pageParam: page, signal }) => call(...searchRequest(term, filters, page), { signal }),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    placeholderData: keepPreviousData,
  });

/** The request for how many articles each further filter would leave. */
export const facetsRequest = (filters: SearchFilters) =>
  [api.catalogue.search, { query: { q: '', ...filters, limit: 1 } }] as const;

/** Queries how many articles each further filter would leave of those that match the filters (CAT-03). */
export const facetsQuery = (filters: SearchFilters) =>
  queryOptions({
    queryKey: ['search', 'facets', filters],
    queryFn: ({ signal }) => call(...facetsRequest(filters), { signal }),
    staleTime: BROWSE_STALE_MS,
    placeholderData: keepPreviousData,
  });

/** The request for what there is to browse. */
export const browseRequest = (language: SearchFilters['language']) =>
  [api.catalogue.browse, { query: { language } }] as const;

/** Queries what there is to browse without a term, in one language or all (CAT-03). */
export const browseQuery = (language: SearchFilters['language']) =>
  queryOptions({
    queryKey: ['browse', language],
    queryFn: ({ signal }) => call(...browseRequest(language), { signal }),
    staleTime: BROWSE_STALE_MS,
    placeholderData: keepPreviousData,
  });

/** The request for an article's page. */
export const articleRequest = (id: string) => [api.catalogue.readArticle, { params: { id } }] as const;

/** Queries an article with its text, its track and related tracks (CAT-04). */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['articles', id],
    queryFn: ({ signal }) => call(...articleRequest(id), { signal }),
  });

/** The request for a page of the visual books. */
export const booksRequest = (after = '') =>
  [
    api.catalogue.findArticles,
    { query: { kind: 'visual-book', limit: limits.pageSize.default, after: after || undefined } },
  ] as const;

/** Queries the visual books, newest first (CAT-06). */
export const booksQuery = infiniteQueryOptions({
  queryKey: ['books'],
  queryFn: ({ pageParam: after, signal }) => call(...booksRequest(after), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ docs }) => (docs.length < limits.pageSize.default ? undefined : docs.at(-1)?._id),
});

export const PAGE_SIZE = limits.pageSize.max;
/** How many pages out of view stay in memory, whatever the length of the list. */
const MAX_INACTIVE_PAGES = 20;
/** Long enough to read an article that was opened from the list and come back to it. */
const LIST_CACHE_MS = 60 * 60_000;
/** A page that is scrolled past faster than this is not requested. */
const SCROLL_SETTLE_MS = 120;

type Language = SearchFilters['language'];
type Page = ResponseBody<typeof api.catalogue.findArticles>;

/** A list of the catalogue whose first page is loaded. The cache keys of further pages derive from that page. */
export interface PagedList {
  filter: ListFilter;
  language: Language;
  firstPage: readonly Track[];
}

/** The request for the first page of a list. */
export const firstPageRequest = <Filter extends object>(filter: Filter, language: Language) =>
  [api.catalogue.findArticles, { query: { ...filter, limit: PAGE_SIZE, language } }] as const;

/** Queries the first page of a list, newest first, and the total (CAT-04). */
export const firstPageQuery = (filter: ListFilter, language: Language) =>
  queryOptions({
    queryKey: ['articles', 'list', filter, language],
    queryFn: ({ signal }) => call(...firstPageRequest(filter, language), { signal }),
    gcTime: LIST_CACHE_MS,
  });

const pagesKey = ['articles', 'pages'] as const;
const toPageKey = ({ filter, language, firstPage }: PagedList, page: number) =>
  [...pagesKey, filter, language, firstPage.at(-1)?._id, page] as const;

/** Returns the tracks of a page, whose number is from 0; undefined while it is not loaded. */
const getPage = (client: QueryClient, list: PagedList, page: number): readonly Track[] | undefined =>
  page === 0 ? list.firstPage : client.getQueryData<Page>(toPageKey(list, page))?.docs;

function evictInactivePages(client: QueryClient): void {
  const cache = client.getQueryCache();
  const inactive = cache.findAll({ queryKey: pagesKey, type: 'inactive', fetchStatus: 'idle' });
  const newestFirst = inactive.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  for (const query of newestFirst.slice(MAX_INACTIVE_PAGES)) cache.remove(query);
}

/**
 * Queries a page beyond the first, from the nearest loaded one before it on.
 *
 * @param page - Its number, from 1.
 */
export const pageQuery = (list: PagedList, page: number) =>
  queryOptions({
    queryKey: toPageKey(list, page),
    queryFn: async ({ client, signal }) => {
      evictInactivePages(client);
      let nearest = page - 1;
      while (nearest > 0 && !getPage(client, list, nearest)?.length) nearest -= 1;
      if (nearest < page - 1) {
        await new Promise((resolve) => setTimeout(resolve, SCROLL_SETTLE_MS));
        signal.throwIfAborted();
      }
      const after = getPage(client, list, nearest)?.at(-1)?._id;
      const skip = (page - nearest - 1) * PAGE_SIZE;
      const { filter, language } = list;
      const query = { ...filter, limit: PAGE_SIZE, language, after, skip };
      return call(api.catalogue.findArticles, { query }, { signal });
    },
    // A list is stable until its first page changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: LIST_CACHE_MS,
    placeholderData: keepPreviousData,
  });

/** Returns the loaded tracks of a list from an index on, at most one page. */
export function getTracksFrom(client: QueryClient, list: PagedList, index: number): Track[] {
  const page = Math.floor(index / PAGE_SIZE);
  const tracks = getPage(client, list, page);
  const start = index % PAGE_SIZE;
  return tracks
    ? [...tracks, ...(getPage(client, list, page + 1) ?? [])].slice(start, start + PAGE_SIZE)
    : [];
}
