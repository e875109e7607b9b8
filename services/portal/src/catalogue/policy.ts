import { getLevelDistance, type Track } from '@escucho/contracts';

interface Candidate {
  id: string;
  topic: string;
  level: Track['level'];
}

/**
 * Returns articles related to one: the same topic first, then the nearest level, otherwise in the order of the candidates,
 * among which an article may appear twice.
 */
export function selectRelated<Row extends Candidate>(
  article: Candidate,
  candidates: readonly Row[],
  max: number,
): Row[] {
  const others = new Map(candidates.map((row) => [row.id, row]));
  others.delete(article.id);
  return [...others.values()]
    .sort(
      (one, other) =>
        Number(other.topic === article.topic) - Number(one.topic === article.topic) ||
        getLevelDistance(one.level, article.level) - getLevelDistance(other.level, article.level),
    )
    .slice(0, max);
}
