import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { facets, lengthBand, searchHit } from '../entities/search.ts';
import { contentKind, contentLanguage, level } from '../entities/track.ts';
import { pagination, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';

/**
 * Results as one types (CAT-03). `q`: any words in any order, whatever their case and accents; the last may be unfinished, and
 * words that are nowhere are taken for the nearest that are. Without a word, what the filters let through, newest first.
 *
 * Ranked are at most `limits.search.hits`; `totalDocs` and the counts of the facets are of these, and `isMore` says that the
 * catalogue holds more. A facet's counts hold for the other filters: they say what choosing it would give, or that much at least
 * where `isSampled` says that they are of the best alone.
 * `corrected` is the query as it was understood, where a word was taken for another. `near` are words to try instead, where
 * nothing was found.
 */
export const search = endpoint({
  method: 'GET',
  path: '/catalogue/search',
  summary: 'Finds articles by title, narrator, topic and text',
  access: 'user',
  query: z.object({
    q: z._default(singleLineText(limits.search.maxLength), ''),
    language: z.optional(contentLanguage),
    level: z.optional(level),
    kind: z.optional(contentKind),
    topic: z.optional(singleLineText(limits.topic.max)),
    length: z.optional(lengthBand),
    ...pagination,
  }),
  response: z.object({
    docs: z.array(searchHit),
    totalDocs: z.number(),
    isMore: z.boolean(),
    facets,
    isSampled: z.boolean(),
    corrected: z.nullable(z.string()),
    near: z.array(z.string()),
  }),
  errors: [],
});
