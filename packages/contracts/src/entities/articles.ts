import * as z from 'zod/mini';
import { dateTime, id } from '../fields.ts';
import { contentKind, contentLanguage, level, narrator, track } from './catalogue.ts';

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
