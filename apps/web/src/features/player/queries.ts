import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';

/** The reader's bookmarks in what is heard (PLAY-05). */
export const bookmarksQuery = (track: string) =>
  queryOptions({
    queryKey: ['bookmarks', track],
    queryFn: ({ signal }) => call(api.bookmarks.findBookmarks, { query: { track } }, { signal }),
    retry: false,
  });

/** What is heard, with its sentences: for the ticks of the scrubber and for reading along (PLAY-08). */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['article', id],
    queryFn: ({ signal }) => call(api.articles.findArticle, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever skips through hundreds of tracks does not keep the text of them all.
    gcTime: 30_000,
    retry: false,
  });
