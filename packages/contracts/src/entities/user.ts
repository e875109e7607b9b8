import * as z from 'zod/mini';
import { dateTime, id } from '../fields.ts';
import { contentLanguage, level } from './track.ts';

/** The mobile operators whose subscribers can sign in. */
export const platform = z.enum(['bitel', 'entel', 'cnt', 'antel']);
export type Platform = z.infer<typeof platform>;

/** What a user learns: the language of the content and the level; null where it was not chosen. */
export const learning = z.object({ language: z.nullable(contentLanguage), level: z.nullable(level) });
export type Learning = z.infer<typeof learning>;

/**
 * User (specification, section 3); `platform` is set for users of an operator only, `learning` where the user
 * chose something, `needsOnboarding` until a user who signed up has answered or skipped the questions about it.
 */
export const user = z.object({
  _id: id,
  email: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  displayName: z.string(),
  platform: z.nullable(platform),
  isExternal: z.boolean(),
  learning: z.optional(learning),
  needsOnboarding: z.optional(z.boolean()),
});
export type User = z.infer<typeof user>;

/** The state of the user's subscription (SUB-02, SUB-04). */
export const subscription = z.object({
  isActive: z.boolean(),
  store: z.nullable(z.string()),
  willRenew: z.boolean(),
  expiresAt: z.nullable(dateTime),
});
export type Subscription = z.infer<typeof subscription>;
