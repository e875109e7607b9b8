import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { playlist, playlistName, playlistOrigin, track } from '../entities/catalogue.ts';
import { id, jsonParam, listResponse, messageKey, pagination, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';
import type { MessageKey } from '../messages/en.ts';

/** A boolean in a form. */
const booleanField = z.pipe(
  z.enum(['true', 'false'], messageKey('field_invalid')),
  z.transform((text) => text === 'true'),
);

const splitList = (text: string): unknown =>
  text.trimStart().startsWith('[') ? JSON.parse(text) : text.split(',');

/** A list in a form: a repeated name, comma-separated texts, or a JSON array. One that is no list of texts has one error. */
const textList = z.pipe(
  z.union([z.string(), z.array(z.string())], messageKey('field_invalid')),
  z.transform((input: string | string[], context): string[] => {
    try {
      const texts = [input].flat().flatMap(splitList);
      if (texts.every((text) => typeof text === 'string')) return texts.filter((text) => text !== '');
    } catch {
      // Malformed JSON.
    }
    context.issues.push({ code: 'custom', message: messageKey('field_invalid'), input });
    return z.NEVER;
  }),
);

/** Distinct ids in a form, in order; more than `max` fail with `message`. */
const idList = ({ max, message }: { max: number; message: MessageKey }) =>
  z.pipe(
    textList,
    z.pipe(
      z.transform((texts: string[]) => [...new Set(texts)]),
      z.array(id).check(z.maxLength(max, message)),
    ),
  );

// Names are stored in this form; devices may enter accented letters in two.
const name = singleLineText(limits.search.maxLength).check(z.normalize('NFC'));

/** Playlist filter (API-01): `$regex` is the specification's word; its text is looked for as plain text. */
const filter = z.strictObject({
  origin: z.optional(playlistOrigin),
  name: z.optional(
    z.union([
      z.strictObject({ $ne: name }),
      z.strictObject({ $regex: name }),
      z.strictObject({ $ne: name, $regex: name }),
    ]),
  ),
});
const sorter = z.strictObject({ _created_at: z.optional(z.literal([1, -1])) });

export const findPlaylist = endpoint({
  method: 'GET',
  path: '/playlist/find-by-id/:id',
  summary: 'Returns a system playlist or one of the user',
  params: z.object({ id }),
  response: playlist,
  errors: ['not_found'],
});

export const findPlaylists = endpoint({
  method: 'GET',
  path: '/playlist/find-paginated',
  summary: 'Playlists, filtered and sorted, a page at a time',
  query: z.object({
    ...pagination,
    filter: z.optional(jsonParam(filter)),
    sorter: z.optional(jsonParam(sorter)),
  }),
  response: listResponse(playlist),
});

export const findPlaylistContent = endpoint({
  method: 'GET',
  path: '/playlist/find-playlist-content/:id',
  summary: 'The tracks of a playlist, in order, a page at a time',
  params: z.object({ id }),
  query: z.object(pagination),
  response: listResponse(track),
  errors: ['not_found'],
});

const atOnce = limits.playlists.tracksAtOnce;
const tracks = z.optional(idList({ max: atOnce, message: messageKey('playlist_too_many') }));

/** `TRACK:AFTER` puts a track behind another, `TRACK:` to the top; one after the other. */
const moves = z.optional(
  z.pipe(
    textList,
    z
      .array(
        z.pipe(
          z.string().check(z.regex(/^[0-9a-f-]{36}:(?:[0-9a-f-]{36})?$/, messageKey('field_invalid'))),
          z.pipe(
            z.transform((text: string) => {
              const [track, after] = text.split(':');
              return { track, after: after || null };
            }),
            z.object({ track: id, after: z.nullable(id) }),
          ),
        ),
      )
      .check(z.maxLength(atOnce, messageKey('playlist_too_many'))),
  ),
);

/** A request that is repeated with the same key changes the playlist that the first one created, instead of creating another. */
export const createPlaylist = endpoint({
  method: 'POST',
  path: '/playlist',
  summary: 'Creates a playlist of the user, with tracks if given',
  form: true,
  body: z.object({
    name: playlistName,
    origin: z.optional(z.literal('user', messageKey('field_invalid'))),
    active: z.optional(booleanField),
    'articles.added': tracks,
    idempotencyKey: z.optional(id),
  }),
  response: playlist,
  errors: ['not_found', 'limit_reached'],
});

/**
 * Changes the given parts of a playlist (LIST-01, LIST-06): first removes tracks, then appends tracks in the given order,
 * then moves. Adding a present track, removing an absent one and moving after an absent one change nothing, so that two
 * devices may send changes in any order. `origin` never changes.
 */
export const changePlaylist = endpoint({
  method: 'PUT',
  path: '/playlist',
  summary: 'Renames a playlist of the user; adds, removes and moves its tracks',
  form: true,
  body: z
    .object({
      _id: id,
      origin: z.optional(z.enum(['user', 'auto'], messageKey('field_invalid'))),
      name: z.optional(playlistName),
      active: z.optional(booleanField),
      'articles.added': tracks,
      'articles.removed': tracks,
      'articles.moved': moves,
    })
    .check(({ value, issues }) => {
      const added = new Set(value['articles.added']);
      if (value['articles.removed']?.some((track) => added.has(track))) {
        const message = messageKey('playlist_added_and_removed');
        issues.push({ code: 'custom', message, path: ['articles.removed'], input: value });
      }
    }),
  /** `addedTracks`: how many tracks the playlist did not have before. */
  response: z.extend(playlist, { addedTracks: z.number() }),
  errors: ['not_found', 'forbidden', 'limit_reached'],
});

export const deletePlaylist = endpoint({
  method: 'DELETE',
  path: '/playlist/:id',
  summary: 'Deletes a playlist of the user',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found', 'forbidden'],
});

/** Undoes a deletion within an hour; restoring a playlist that is not deleted changes nothing. */
export const restorePlaylist = endpoint({
  method: 'POST',
  path: '/playlist/:id/restore',
  summary: 'Restores a playlist of the user that was deleted within the last hour',
  params: z.object({ id }),
  response: playlist,
  errors: ['not_found', 'forbidden', 'limit_reached'],
});

const liked = z.object({ _id: id, like: z.boolean() });

/** Favourites (CAT-08) are the user's playlist named `default`, origin `auto`, created with the first like. */
export const addFavourite = endpoint({
  method: 'PUT',
  path: '/favourites/:id',
  summary: 'Puts a track at the top of the favourites; one that is there stays where it is',
  params: z.object({ id }),
  response: liked,
  errors: ['not_found', 'limit_reached'],
});

export const removeFavourite = endpoint({
  method: 'DELETE',
  path: '/favourites/:id',
  summary: 'Removes a track from the favourites, if it is there',
  params: z.object({ id }),
  response: liked,
  errors: ['not_found'],
});
