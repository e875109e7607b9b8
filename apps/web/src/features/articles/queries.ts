import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';
import { asked, type Filters } from './model/filters.ts';

/** What a term finds, best first, a page at a time (CAT-03). The answer before stands until the next is there. */
export const searchQuery = (term: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['search', term, asked(filters)],
    queryFn: ({ pageParam: page, signal }) =>
      call(
        api.search.search,
        { query: { q: term, ...asked(filters), page, limit: limits.pageSize.default } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    placeholderData: keepPreviousData,
  });

/** What there is to browse before a term (CAT-03). */
export const browseQuery = queryOptions({
  queryKey: ['browse'],
  queryFn: ({ signal }) => call(api.articles.browse, { query: {} }, { signal }),
  staleTime: 5 * 60_000,
});

/** An article with its text, as a track, and what is related to it (CAT-04). In: its id. */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['articles', id],
    queryFn: ({ signal }) => call(api.articles.readArticle, { params: { id } }, { signal }),
  });
