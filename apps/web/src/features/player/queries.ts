import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';

/** The user's bookmarks in a track (PLAY-05). */
export const bookmarksQuery = (track: string) =>
  queryOptions({
    queryKey: ['bookmarks', track],
    queryFn: ({ signal }) => call(api.bookmarks.findBookmarks, { query: { track } }, { signal }),
    retry: false,
  });

/** The article of a track, with its sentences, chapters and pages (PLAY-08). */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['article', id],
    queryFn: ({ signal }) => call(api.articles.findArticle, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Skipping through hundreds of tracks must not keep all their texts in memory.
    gcTime: 30_000,
    retry: false,
  });
