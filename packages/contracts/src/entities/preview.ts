import * as z from 'zod/mini';
import { id } from '../fields.ts';
import { article } from './article.ts';
import { contentKind, contentLanguage, level } from './track.ts';

/** What everybody may know of a published article. `artwork` is its large cover, `duration` in seconds. */
export const preview = z.object({
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
export const sample = z.extend(article, { url: z.string() });
export type Sample = z.infer<typeof sample>;
