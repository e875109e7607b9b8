import * as z from 'zod/mini';
import { dateTime, id } from '../fields.ts';
import { contentLanguage, level, type Track } from './catalogue.ts';

/** The names of the mobile operators. */
export const operatorNames = { bitel: 'Bitel', entel: 'Entel', cnt: 'CNT', antel: 'Antel' } as const;

/** The mobile operators whose subscribers can sign in, in display order. */
export const platforms = ['bitel', 'entel', 'cnt', 'antel'] as const;
export const platform = z.enum(platforms);
export type Platform = z.infer<typeof platform>;

/** What a user learns: the language of the content and the level; null where it was not chosen. */
const learning = z.object({ language: z.nullable(contentLanguage), level: z.nullable(level) });
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

type Level = Track['level'];

/** Returns how many levels of the CEFR are between two. */
export const getLevelDistance = (one: Level, other: Level): number =>
  Math.abs(level.options.indexOf(one) - level.options.indexOf(other));

/** How far from the user's level an article may be. */
const MAX_DISTANCE = 1;

/** Returns the levels that suit a learner; all of them where no level was chosen. */
export const getSuitableLevels = (own: Learning['level']): readonly Level[] =>
  level.options.filter((one) => own === null || getLevelDistance(one, own) <= MAX_DISTANCE);

/** Returns whether an article is in the language that a user learns and at most one level away from the user's. */
export const isSuitable = (article: Pick<Track, 'language' | 'level'>, learning: Learning): boolean =>
  (learning.language === null || learning.language === article.language) &&
  getSuitableLevels(learning.level).includes(article.level);
