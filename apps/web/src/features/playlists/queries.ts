import {
  api,
  favouritesName,
  limits,
  type Playlist,
  type RequestInput,
  replaceControlCharacters,
} from '@escucho/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';

/** The prefix of all query keys about playlists. */
export const playlistsKey = ['playlists'] as const;

/** Another tab or device may have changed the user's playlists while this tab was hidden. */
const refetchWhenShown = { refetchOnWindowFocus: 'always' } as const;

/**
 * Returns the API's filter for the user's own playlists (LIST-04), without the favourites; by name only beyond 3 characters.
 *
 * @param text - What the search box holds.
 */
export function toPlaylistFilter(text: string) {
  const name = replaceControlCharacters(text);
  return {
    origin: 'user',
    name: { $ne: favouritesName, ...(name.length >= limits.search.minLength && { $regex: name }) },
  };
}

/** The request for a page of the user's own playlists, newest first, 20 a page (LIST-04). */
export const playlistsRequest = (text = '', page = 1) =>
  [
    api.playlists.findPlaylists,
    {
      query: {
        page,
        limit: limits.pageSize.default,
        filter: JSON.stringify(toPlaylistFilter(text)),
        sorter: JSON.stringify({ _created_at: -1 }),
      },
    },
  ] as const;

/**
 * Queries the user's own playlists (LIST-03, LIST-04).
 *
 * @param text - What the search box holds.
 */
export const playlistsQuery = (text = '') =>
  infiniteQueryOptions({
    queryKey: [...playlistsKey, 'own', toPlaylistFilter(text)],
    queryFn: ({ pageParam: page, signal }) => call(...playlistsRequest(text, page), { signal }),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    placeholderData: keepPreviousData,
    ...refetchWhenShown,
  });

/** The request for the favourites. */
export const favouritesRequest = () =>
  [
    api.playlists.findPlaylists,
    { query: { page: 1, limit: 1, filter: JSON.stringify({ origin: 'auto' }) } },
  ] as const;

/** Queries the favourites, which exist from the first like on (CAT-08); null before. */
export const favouritesQuery = queryOptions({
  queryKey: [...playlistsKey, 'favourites'],
  queryFn: async ({ signal }) => {
    const { docs } = await call(...favouritesRequest(), { signal });
    return docs[0] ?? null;
  },
  ...refetchWhenShown,
});

interface Liked {
  /** Ids of the newest favourites. */
  ids: string[];
  /** Ids of what this tab has removed; of tracks that are not among the newest, no request shows it. */
  removed: string[];
  /** Whether `ids` are all favourites. */
  isComplete: boolean;
}

const likedKey = [...playlistsKey, 'liked'];

/** Queries the newest favourites: `like` of a queued track may be outdated. */
export const likedQuery = queryOptions({
  queryKey: likedKey,
  queryFn: async ({ client, signal }): Promise<Liked> => {
    const favourites = await client.query(favouritesQuery);
    const { removed } = client.getQueryData<Liked>(likedKey) ?? { removed: [] };
    if (!favourites) return { ids: [], removed, isComplete: true };
    const { docs, totalDocs } = await call(...contentRequest(favourites._id), { signal });
    return { ids: docs.map(({ _id }) => _id), removed, isComplete: docs.length === totalDocs };
  },
  ...refetchWhenShown,
});

/** The request for one playlist, without its tracks. */
export const playlistRequest = (id: string) => [api.playlists.findPlaylist, { params: { id } }] as const;

/** Queries one playlist, without its tracks. */
export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: [...playlistsKey, 'one', id],
    queryFn: ({ signal }) => call(...playlistRequest(id), { signal }),
    ...refetchWhenShown,
  });

/** The request for a page of a playlist's tracks, of the largest size that the API allows. */
export const contentRequest = (id: string, page = 1) =>
  [
    api.playlists.findPlaylistContent,
    { params: { id }, query: { page, limit: limits.pageSize.max } },
  ] as const;

/** Queries the tracks of a playlist. */
export const contentQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...playlistsKey, 'content', id],
    queryFn: ({ pageParam: page, signal }) => call(...contentRequest(id, page), { signal }),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => getNextPage(pages),
    ...refetchWhenShown,
  });

/**
 * Creates a playlist of the user (LIST-01), optionally with a first track.
 *
 * @param idempotencyKey - The same when the request is repeated, as its response may have been lost.
 */
export const createPlaylist = (name: string, idempotencyKey: string, trackId?: string): Promise<Playlist> =>
  call(api.playlists.createPlaylist, {
    body: {
      name,
      origin: 'user',
      active: 'true',
      idempotencyKey,
      ...(trackId !== undefined && { 'articles.added': trackId }),
    },
  });

/** A change of a playlist, as the API takes it: tracks by id; a move is `TRACK:AFTER`, `TRACK:` moves to the top. */
export type PlaylistChange = Omit<
  RequestInput<typeof api.playlists.changePlaylist>['body'],
  '_id' | 'origin'
>;

/** Changes a playlist (LIST-01) and returns it as it is then, with the number of tracks that it did not have before. */
export const changePlaylist = ({ _id, origin }: Playlist, change: PlaylistChange) =>
  call(api.playlists.changePlaylist, {
    body: { _id, origin: origin === 'auto' ? 'auto' : 'user', ...change },
  });
