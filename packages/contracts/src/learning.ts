import { level, type Track } from './entities/track.ts';
import type { Learning } from './entities/user.ts';

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
