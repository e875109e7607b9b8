import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';

/** Queries the visual books, newest first (CAT-06). */
export const booksQuery = infiniteQueryOptions({
  queryKey: ['books'],
  queryFn: ({ pageParam: after, signal }) =>
    call(
      api.articles.findArticles,
      { query: { kind: 'visual-book', limit: limits.pageSize.default, ...(after && { after }) } },
      { signal },
    ),
  initialPageParam: '',
  getNextPageParam: ({ docs }) => (docs.length < limits.pageSize.default ? undefined : docs.at(-1)?._id),
});

/** Queries a book with its pages, its text and its track. */
export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: ['books', id],
    queryFn: ({ signal }) => call(api.articles.readArticle, { params: { id } }, { signal }),
  });
