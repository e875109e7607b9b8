import { api, favouritesName, limits } from '@escucho/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';

/** The prefix of all query keys about playlists. */
export const playlistsKey = ['playlists'] as const;

/**
 * Returns the API's filter for the user's own playlists (LIST-04), without the favourites; by name only beyond 3 characters.
 *
 * @param text - What the search box holds.
 */
export function toPlaylistFilter(text: string) {
  const name = text.trim();
  return {
    origin: 'user',
    name: { $ne: favouritesName, ...(name.length >= limits.search.minLength && { $regex: name }) },
  };
}

/**
 * Queries the user's own playlists, newest first, 20 a page (LIST-03, LIST-04).
 *
 * @param text - What the search box holds.
 */
export const playlistsQuery = (text = '') => {
  const filter = JSON.stringify(toPlaylistFilter(text));
  const sorter = JSON.stringify({ _created_at: -1 });
  return infiniteQueryOptions({
    queryKey: [...playlistsKey, 'own', filter],
    queryFn: ({ pageParam: page, signal }) =>
      call(
        api.playlists.findPlaylists,
        { query: { page, limit: limits.pageSize.default, filter, sorter } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    placeholderData: keepPreviousData,
  });
};

/** Queries the favourites, which exist from the first like on (CAT-08); null before. */
export const favouritesQuery = queryOptions({
  queryKey: [...playlistsKey, 'favourites'],
  queryFn: async ({ signal }) => {
    const query = { page: 1, limit: 1, filter: JSON.stringify({ origin: 'auto' }) };
    const { docs } = await call(api.playlists.findPlaylists, { query }, { signal });
    return docs[0] ?? null;
  },
});

/** Queries the ids of the newest favourites and whether these are all: `like` of a queued track may be outdated. */
export const likedQuery = queryOptions({
  queryKey: [...playlistsKey, 'liked'],
  queryFn: async ({ client, signal }) => {
    const favourites = await client.fetchQuery(favouritesQuery);
    if (!favourites) return { ids: [], isComplete: true };
    const params = { id: favourites._id };
    const query = { page: 1, limit: limits.pageSize.max };
    const { docs, totalDocs } = await call(api.playlists.findPlaylistContent, { params, query }, { signal });
    return { ids: docs.map(({ _id }) => _id), isComplete: docs.length === totalDocs };
  },
});

/** Queries one playlist, without its tracks. */
export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: [...playlistsKey, 'one', id],
    queryFn: ({ signal }) => call(api.playlists.findPlaylist, { params: { id } }, { signal }),
  });

/** Queries the tracks of a playlist, with the largest pages the API allows. */
export const contentQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...playlistsKey, 'content', id],
    queryFn: ({ pageParam: page, signal }) =>
      call(
        api.playlists.findPlaylistContent,
        { params: { id }, query: { page, limit: limits.pageSize.max } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
  });
