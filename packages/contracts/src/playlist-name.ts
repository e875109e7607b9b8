import * as z from 'zod/mini';
import { key } from './fields.ts';
import { limits } from './limits.ts';

// Playlist names mean what one sees: one way to write an accent, one space between words, none around.
const tidy = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** The reader's playlist of favourites; no other may be named so. */
export const favouritesName = 'default';

/** A playlist's name (LIST-02): letters of any script, digits and spaces. */
export const playlistName = z.string(key('field_invalid')).check(
  z.overwrite(tidy),
  z.minLength(1, { message: key('field_required'), abort: true }),
  z.regex(/^[\p{L}\p{M}\p{Nd} ]*$/u, key('playlist_name_characters')),
  z.minLength(limits.playlistName.min, key('playlist_name_min')),
  z.maxLength(limits.playlistName.max, key('field_too_long')),
  z.refine((text) => text.toLowerCase() !== favouritesName, key('playlist_name_reserved')),
);
