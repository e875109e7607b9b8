import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { nextPage } from '#shared/pages.ts';
import { ownPlaylists } from './model/search.ts';

/** Everything about playlists stands under this key. */
export const playlistsKey = ['playlists'] as const;

/** The reader's own playlists, newest first, 20 a page (LIST-03, LIST-04). In: what the search box holds. */
export const playlistsQuery = (text = '') => {
  const filter = JSON.stringify(ownPlaylists(text));
  return infiniteQueryOptions({
    queryKey: [...playlistsKey, 'own', filter],
    queryFn: ({ pageParam: page, signal }) =>
      call(
        api.playlists.findPlaylists,
        {
          query: {
            page,
            limit: limits.pageSize.default,
            filter,
            sorter: JSON.stringify({ _created_at: -1 }),
          },
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => nextPage(pages),
    placeholderData: keepPreviousData,
  });
};

/** The favourites, which come with the first like (CAT-08); null before. */
export const favouritesQuery = queryOptions({
  queryKey: [...playlistsKey, 'favourites'],
  queryFn: async ({ signal }) => {
    const query = { page: 1, limit: 1, filter: JSON.stringify({ origin: 'auto' }) };
    const { docs } = await call(api.playlists.findPlaylists, { query }, { signal });
    return docs[0] ?? null;
  },
});

/** The newest favourites by id, and whether that is all of them: what a track brought along of its heart may be old. */
export const likedQuery = queryOptions({
  queryKey: [...playlistsKey, 'liked'],
  queryFn: async ({ client, signal }) => {
    const favourites = await client.fetchQuery(favouritesQuery);
    if (!favourites) return { ids: [], isAll: true };
    const params = { id: favourites._id };
    const query = { page: 1, limit: limits.pageSize.max };
    const { docs, totalDocs } = await call(api.playlists.findPlaylistContent, { params, query }, { signal });
    return { ids: docs.map(({ _id }) => _id), isAll: docs.length === totalDocs };
  },
});

/** One playlist, without its tracks. */
export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: [...playlistsKey, 'one', id],
    queryFn: ({ signal }) => call(api.playlists.findPlaylist, { params: { id } }, { signal }),
  });

/** The tracks of a playlist, as many a page as the API gives. */
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
    getNextPageParam: (_, pages) => nextPage(pages),
  });
