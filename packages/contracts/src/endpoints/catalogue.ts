import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import {
  article,
  contentKind,
  contentLanguage,
  continueListening,
  facets,
  lengthBand,
  level,
  playlist,
  searchHit,
  track,
} from '../entities/catalogue.ts';
import {
  id,
  integerParam,
  listResponse,
  messageKey,
  pagination,
  searchText,
  singleLineText,
} from '../fields.ts';
import { limits } from '../limits.ts';

/**
 * Discover in one response (CAT-02): continue listening, then one row per system playlist. `atLevel`, for users who chose
 * a level: the newest articles at it in the learning language that they have not started.
 */
export const discover = endpoint({
  method: 'GET',
  path: '/catalogue/discover',
  summary: 'What Discover shows',
  response: z.object({
    continueListening: z.array(continueListening),
    rows: z.array(z.object({ playlist, tracks: z.array(track) })),
    atLevel: z.optional(z.object({ level, tracks: z.array(track) })),
  }),
});

/** An article's page in one response (CAT-04): its text, its track, and related articles by topic and level. */
export const readArticle = endpoint({
  method: 'GET',
  path: '/catalogue/read/:id',
  summary: 'An article with its text, as a track, and what is related to it',
  params: z.object({ id }),
  response: z.object({ article, track, related: z.array(track) }),
  errors: ['not_found'],
});

export const findArticle = endpoint({
  method: 'GET',
  path: '/catalogue/articles/:id',
  summary: 'An article, audiobook or visual book with its text',
  params: z.object({ id }),
  response: article,
  errors: ['not_found'],
});

const listed = ['kind', 'topic', 'level', 'narrator'] as const;

/**
 * Lists the catalogue, newest first (CAT-04), optionally by kind, topic, level, narrator or language. `after` is the last
 * track of the previous page: pages are stable while articles are added or unpublished, and a deep page costs as much as the first.
 * `skip` omits further tracks after it, for a jump ahead. The last page has fewer than `limit` documents. `totalDocs` is
 * exact.
 */
export const findArticles = endpoint({
  method: 'GET',
  path: '/catalogue/articles',
  summary: 'A list of articles, newest first, a page at a time',
  query: z
    .object({
      kind: z.optional(contentKind),
      topic: z.optional(singleLineText(limits.topic.max)),
      level: z.optional(level),
      narrator: z.optional(singleLineText(limits.narrator.max)),
      language: z.optional(contentLanguage),
      after: z.optional(id),
      skip: integerParam({ min: 0, max: limits.list.shown, default: 0 }),
      limit: pagination.limit,
    })
    .check(({ value, issues }) => {
      const [, second] = listed.filter((name) => value[name] !== undefined);
      if (second === undefined) return;
      issues.push({ code: 'custom', message: messageKey('field_invalid'), path: [second], input: value });
    }),
  response: listResponse(track),
});

/**
 * What there is to browse (CAT-03): how many of each language, level, kind, topic and length; exact. `covers` has a picture
 * for each language, level, kind and topic, by facet and value such as `topic:travel`.
 */
export const browse = endpoint({
  method: 'GET',
  path: '/catalogue/browse',
  summary: 'How many articles there are of each language, level, kind, topic and length',
  query: z.object({ language: z.optional(contentLanguage) }),
  response: z.object({ totalDocs: z.number(), facets, covers: z.record(z.string(), z.string()) }),
});

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
    q: searchText,
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
