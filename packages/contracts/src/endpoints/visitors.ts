import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { article, contentKind, contentLanguage, level } from '../entities/catalogue.ts';
import { id } from '../fields.ts';

/** What everybody may know of a published article. `artwork` is its large cover, `duration` in seconds. */
const preview = z.object({
  _id: id,
  title: z.string(),
  summary: z.string(),
  kind: contentKind,
  language: contentLanguage,
  level,
  duration: z.number(),
  image: z.string(),
  artwork: z.string(),
});
export type Preview = z.infer<typeof preview>;

/** A short free article with the signed URL of its audio; valid for half an hour at least. */
const sample = z.extend(article, { url: z.string() });
export type Sample = z.infer<typeof sample>;

/**
 * The catalogue in one language, as visitors without an account see it: a free article to listen to, null where none is
 * suitable; the newest articles; and how many there are.
 */
export const findShowcase = endpoint({
  method: 'GET',
  path: '/catalogue/showcase',
  summary: 'The catalogue in one language for visitors without an account, with a sample to listen to',
  access: 'public',
  rateLimit: 'visitor',
  maxAgeSeconds: 60,
  query: z.object({ language: contentLanguage }),
  response: z.object({ sample: z.nullable(sample), newest: z.array(preview), totalDocs: z.number() }),
});

/** What messengers show of a shared link to an article. */
export const findPreview = endpoint({
  method: 'GET',
  path: '/catalogue/preview/:id',
  summary: 'Title, summary and cover of an article, for everybody',
  access: 'public',
  rateLimit: 'visitor',
  maxAgeSeconds: 60,
  params: z.object({ id }),
  response: preview,
  errors: ['not_found'],
});
