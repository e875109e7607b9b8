import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { playlist, playlistOrigin } from '../entities/playlist.ts';
import { track } from '../entities/track.ts';
import { id, jsonText, line, listOf, paging } from '../fields.ts';
import { limits } from '../limits.ts';

const name = line(limits.search.maxLength);

/** Playlist filter (API-01): `$regex` is the specification's word; its text is looked for as plain text. */
const filter = z.strictObject({
  origin: z.optional(playlistOrigin),
  name: z.optional(z.union([z.strictObject({ $ne: name }), z.strictObject({ $regex: name })])),
});
const sorter = z.strictObject({ _created_at: z.union([z.literal(1), z.literal(-1)]) });

export const findPlaylist = endpoint({
  method: 'GET',
  path: '/playlist/find-by-id/:id',
  summary: 'One playlist: a system one, or one of the reader',
  access: 'reader',
  params: z.object({ id }),
  response: playlist,
  errors: ['not_found'],
});

export const findPlaylists = endpoint({
  method: 'GET',
  path: '/playlist/find-paginated',
  summary: 'Playlists, filtered and sorted, a page at a time',
  access: 'reader',
  query: z.object({ ...paging, filter: z.optional(jsonText(filter)), sorter: z.optional(jsonText(sorter)) }),
  response: listOf(playlist),
  errors: [],
});

export const findPlaylistContent = endpoint({
  method: 'GET',
  path: '/playlist/find-playlist-content/:id',
  summary: 'The tracks of a playlist, in order, a page at a time',
  access: 'reader',
  params: z.object({ id }),
  query: z.object(paging),
  response: listOf(track),
  errors: ['not_found'],
});
