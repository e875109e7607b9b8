import * as z from 'zod/mini';
import { dateTime, id, messageKey } from '../fields.ts';
import { limits } from '../limits.ts';

export const contentKind = z.enum(['article', 'audiobook', 'visual-book']);
export const contentLanguage = z.enum(['en', 'es']);
/** Languages by the names that users search for: lower case, without accents. */
export const languageNames: ReadonlyMap<string, z.infer<typeof contentLanguage>> = new Map([
  ['english', 'en'],
  ['ingles', 'en'],
  ['spanish', 'es'],
  ['espanol', 'es'],
  ['castellano', 'es'],
]);
export const level = z.enum(['A1', 'A2', 'B1', 'B2', 'C1', 'C2']);

/** The kind of device a user listens on. */
export const deviceKind = z.enum(['phone', 'tablet', 'computer']);
export type DeviceKind = z.infer<typeof deviceKind>;

export const narrator = z.object({ name: z.string(), image: z.nullable(z.string()) });

/**
 * Track in queue (specification, section 3). `duration` and `progress` in seconds; `image` a small picture for lists,
 * `artwork` a large one for the player and the lock screen; `source` the name of the list it was taken from,
 * `playlist` that list's id. `url` is signed and short-lived, and null where the user may not play it (PLAY-04).
 * `loudness` of the whole in LUFS, where it was measured.
 */
export const track = z.object({
  _id: id,
  url: z.nullable(z.string()),
  title: z.string(),
  artist: z.string(),
  artwork: z.string(),
  duration: z.number(),
  progress: z.number(),
  like: z.boolean(),
  image: z.string(),
  source: z.string(),
  playlist: z.nullable(id),
  kind: contentKind,
  language: contentLanguage,
  level,
  topic: z.string(),
  loudness: z.optional(z.nullable(z.number())),
});
export type Track = z.infer<typeof track>;

/**
 * Continue-listening entry (specification, section 3); `audio` is signed like a track's `url`. The API always sends `like`
 * and `deviceKind`, the kind of device that saved the position (null if unknown); a device's own entries may omit them.
 */
export const continueListening = z.object({
  _id: id,
  title: z.string(),
  duration: z.number(),
  audio: z.nullable(z.string()),
  image: z.string(),
  artwork: z.string(),
  language: contentLanguage,
  level,
  narrator,
  progress: z.number(),
  kind: contentKind,
  topic: z.string(),
  loudness: z.optional(z.nullable(z.number())),
  like: z.optional(z.boolean()),
  deviceKind: z.optional(z.nullable(deviceKind)),
});
export type ContinueListening = z.infer<typeof continueListening>;

export const playlistOrigin = z.enum(['system', 'user', 'auto']);

/** Playlist (specification, section 3). `titles` are a system playlist's names by language; `name` stays the source's name. */
export const playlist = z.object({
  _id: id,
  name: z.string(),
  titles: z.nullable(z.object({ en: z.string(), es: z.string() })),
  origin: playlistOrigin,
  active: z.boolean(),
  images: z.array(z.object({ url: z.string() })),
  totalTracks: z.number(),
  totalDuration: z.number(),
  createdAt: dateTime,
});
export type Playlist = z.infer<typeof playlist>;

// Names that look the same must be equal.
const normalizeName = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** The name of a user's playlist of favourites, which no other playlist may have. */
export const favouritesName = 'default';

/** A playlist's name (LIST-02): letters of any script with their accents, digits and spaces. */
export const playlistName = z.string(messageKey('field_invalid')).check(
  z.overwrite(normalizeName),
  z.minLength(1, { message: messageKey('field_required'), abort: true }),
  z.regex(/^(?:[\p{L}\p{Nd}]\p{M}*| )*$/u, messageKey('playlist_name_characters')),
  z.minLength(limits.playlistName.min, messageKey('playlist_name_min')),
  z.maxLength(limits.playlistName.max, messageKey('field_too_long')),
  z.refine((text) => text.toLowerCase() !== favouritesName, messageKey('playlist_name_reserved')),
);

export const playlistForm = z.object({ name: playlistName });

/** One narrated sentence: `start` and `end` in seconds of the audio; numbers count from 0. */
const sentence = z.object({
  text: z.string(),
  translation: z.nullable(z.string()),
  start: z.number(),
  end: z.number(),
  paragraph: z.number(),
  chapter: z.nullable(z.number()),
  page: z.nullable(z.number()),
});

/** An article, audiobook or visual book with its text. `start` of chapters and pages in seconds. */
export const article = z.object({
  _id: id,
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  kind: contentKind,
  language: contentLanguage,
  translationLanguage: z.nullable(contentLanguage),
  level,
  topic: z.string(),
  narrator,
  image: z.string(),
  artwork: z.string(),
  duration: z.number(),
  publishedAt: dateTime,
  chapters: z.array(z.object({ title: z.string(), start: z.number() })),
  pages: z.array(z.object({ title: z.string(), start: z.number(), alt: z.string(), image: z.string() })),
  sentences: z.array(sentence),
  /** Whether the sentences' times are estimated from pauses and text length. */
  estimated: z.optional(z.boolean()),
});
export type Article = z.infer<typeof article>;

/** Duration: `short` under 2 minutes, `medium` under 10, else `long`. */
export const lengthBand = z.enum(['short', 'medium', 'long']);

/** Highlighted ranges of a text: start (inclusive) and end (exclusive), in UTF-16 code units. */
const highlights = z.array(z.tuple([z.number(), z.number()]));

/**
 * A search result (CAT-03). `where` is the field that matched; `text` where title, narrator and topic do not contain all
 * words. Then `sentence` is the one that holds most of them, with its start and end in seconds; it is null
 * where only the summary holds them.
 */
export const searchHit = z.object({
  track,
  where: z.nullable(z.enum(['title', 'narrator', 'topic', 'summary', 'text'])),
  titleMarks: highlights,
  sentence: z.nullable(
    z.object({ number: z.number(), text: z.string(), start: z.number(), end: z.number(), marks: highlights }),
  ),
});
export type SearchHit = z.infer<typeof searchHit>;

const valueCounts = <Value extends z.ZodMiniType>(value: Value) =>
  z.array(z.object({ value, count: z.number() }));

/** Counts by language, level, kind, topic and length; topics by count, the others in their own order. */
export const facets = z.object({
  language: valueCounts(contentLanguage),
  level: valueCounts(level),
  kind: valueCounts(contentKind),
  topic: valueCounts(z.string()),
  length: valueCounts(lengthBand),
});
export type Facets = z.infer<typeof facets>;
