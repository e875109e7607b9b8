import * as z from 'zod/mini';
import { messageKey } from './fields.ts';
import { limits } from './limits.ts';

// Names that look the same must be equal.
const normalizeName = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** The name of a user's playlist of favourites, which no other playlist may have. */
export const favouritesName = 'default';

/** A playlist's name (LIST-02): letters of any script, digits and spaces. */
export const playlistName = z.string(messageKey('field_invalid')).check(
  z.overwrite(normalizeName),
  z.minLength(1, { message: messageKey('field_required'), abort: true }),
  z.regex(/^[\p{L}\p{M}\p{Nd} ]*$/u, messageKey('playlist_name_characters')),
  z.minLength(limits.playlistName.min, messageKey('playlist_name_min')),
  z.maxLength(limits.playlistName.max, messageKey('field_too_long')),
  z.refine((text) => text.toLowerCase() !== favouritesName, messageKey('playlist_name_reserved')),
);

export const playlistForm = z.object({ name: playlistName });
