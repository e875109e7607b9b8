import * as z from 'zod/mini';
import { dateTime, id } from '../fields.ts';
import { contentKind, contentLanguage, level, narrator } from './track.ts';

/** One narrated sentence: `start` and `end` in seconds of the audio; numbers count from 0. */
export const sentence = z.object({
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
