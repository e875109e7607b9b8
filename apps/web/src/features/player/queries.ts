import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';

/** The user's bookmarks in a track (PLAY-05), and when they were requested: changes since then are applied to them. */
export const bookmarksQuery = (track: string) =>
  queryOptions({
    queryKey: ['bookmarks', track],
    queryFn: async ({ signal }) => ({
      requestedAt: performance.now(),
      ...(await call(api.bookmarks.findBookmarks, { query: { track } }, { signal })),
    }),
    retry: false,
  });

/** The request for a page of the user's bookmarks in all tracks. */
export const allBookmarksRequest = (q = '', page = 1) =>
  [api.bookmarks.findAllBookmarks, { query: { q, page, limit: limits.pageSize.default } }] as const;

/** The user's bookmarks in all tracks, newest first, whose note or title contains a text. */
export const allBookmarksQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['bookmarks', 'all', q],
    queryFn: async ({ pageParam: page, signal }) => ({
      requestedAt: performance.now(),
      ...(await call(...allBookmarksRequest(q, page), { signal })),
    }),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    // Bookmarks are set in the player at any time.
    staleTime: 0,
  });

/** The article of a track, with its sentences, chapters and pages (PLAY-08). */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['article', id],
    queryFn: ({ signal }) => call(api.catalogue.findArticle, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Skipping through hundreds of tracks must not keep all their texts in memory.
    gcTime: 30_000,
    retry: false,
  });
