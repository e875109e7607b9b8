import * as z from 'zod/mini';
import { contentKind, contentLanguage, level, track } from './track.ts';

/** How long a piece is: `short` under 2 minutes, `medium` under 10, `long` from there on. */
export const lengthBand = z.enum(['short', 'medium', 'long']);

/** Where in a text the words stand that were looked for: from (inclusive) to (exclusive), in UTF-16 units as JavaScript counts. */
const marks = z.array(z.tuple([z.number(), z.number()]));

/**
 * A track that was found (CAT-03). `where` says which field holds the words; `text` where not all of them are in title,
 * narrator and topic. Then `sentence` is the one that holds most of them, with its start and end in seconds; it is null
 * where only the summary holds them.
 */
export const searchHit = z.object({
  track,
  where: z.nullable(z.enum(['title', 'narrator', 'topic', 'summary', 'text'])),
  titleMarks: marks,
  sentence: z.nullable(
    z.object({ number: z.number(), text: z.string(), start: z.number(), end: z.number(), marks }),
  ),
});
export type SearchHit = z.infer<typeof searchHit>;

const valueCounts = <Value extends z.ZodMiniType>(value: Value) =>
  z.array(z.object({ value, count: z.number() }));

/** How many pieces there are of each language, level, kind, topic and length; topics the most first, the others in their own order. */
export const facets = z.object({
  language: valueCounts(contentLanguage),
  level: valueCounts(level),
  kind: valueCounts(contentKind),
  topic: valueCounts(z.string()),
  length: valueCounts(lengthBand),
});
export type Facets = z.infer<typeof facets>;
