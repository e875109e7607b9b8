import * as z from 'zod/mini';
import { contentKind, contentLanguage, level, track } from './track.ts';

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
