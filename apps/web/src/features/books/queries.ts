import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';

/** The request for a page of the visual books. */
export const booksRequest = (after = '') =>
  [
    api.articles.findArticles,
    { query: { kind: 'visual-book', limit: limits.pageSize.default, ...(after && { after }) } },
  ] as const;

/** Queries the visual books, newest first (CAT-06). */
export const booksQuery = infiniteQueryOptions({
  queryKey: ['books'],
  queryFn: ({ pageParam: after, signal }) => call(...booksRequest(after), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ docs }) => (docs.length < limits.pageSize.default ? undefined : docs.at(-1)?._id),
});

/** The request for a book. */
export const bookRequest = (id: string) => [api.articles.readArticle, { params: { id } }] as const;

/** Queries a book with its pages, its text and its track. */
export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: ['books', id],
    queryFn: ({ signal }) => call(...bookRequest(id), { signal }),
  });
