import { level as levels, type Track } from '@escucho/contracts';
import { toLearnerStart } from '../media/policy.ts';

/** Visitors listen to an article of at most this length. */
const MAX_SAMPLE_SECONDS = 5 * 60;

interface Candidate extends Pick<Track, 'language' | 'level' | 'duration'> {
  id: string;
}

/**
 * Returns the article that visitors may listen to: the easiest of those that a user without a subscription could play, which
 * are free for everybody or the first of a learner's list (PLAY-04), and that are short. Undefined if there is none.
 *
 * @param newest - articles of one language, newest first within each level
 * @param free - the articles that everybody may play
 */
export function selectSample<Row extends Candidate>(
  newest: readonly Row[],
  free: ReadonlySet<string>,
): Row | undefined {
  const atLevels = levels.options.flatMap((level) => {
    const rows = newest.filter((row) => row.level === level);
    const [language = null] = rows.map((row) => row.language);
    const ids = rows.map(({ id }) => id);
    const own = toLearnerStart({ level, language }, ids, free)?.first;
    return rows.filter(({ id }) => id === own || free.has(id));
  });
  return atLevels.find(({ duration }) => duration <= MAX_SAMPLE_SECONDS);
}
