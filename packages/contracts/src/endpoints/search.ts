import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { facets, lengthBand, searchHit } from '../entities/articles.ts';
import { contentKind, contentLanguage, level } from '../entities/catalogue.ts';
import { pagination, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';

/**
 * Searches as the user types (CAT-03). `q` holds words in any order, case and accents ignored; the last may be a prefix, and
 * unknown words are corrected. Without words, returns the articles that match the filters, newest first.
 *
 * At most `limits.search.hits` are ranked; `totalDocs` and facet counts refer to these, and `isMore` is set if the
 * catalogue has more. Facet counts respect the other filters; they are lower bounds where `isSampled` is set.
 * `corrected` is the query after correction, `near` suggests words where
 * nothing was found, with or without the filters.
 */
export const search = endpoint({
  method: 'GET',
  path: '/catalogue/search',
  summary: 'Finds articles by title, narrator, topic and text',
  rateLimit: 'search',
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
});
