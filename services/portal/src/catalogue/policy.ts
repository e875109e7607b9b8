const levels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'];

interface Candidate {
  id: string;
  topic: string;
  level: string;
}

const steps = (one: string, other: string): number => Math.abs(levels.indexOf(one) - levels.indexOf(other));

/**
 * What to go on with after an article: others, the same topic first, then the nearest level, each in the order given. In: the
 * article, candidates (one may come twice), how many at most.
 */
export function related<Row extends Candidate>(
  article: Candidate,
  candidates: readonly Row[],
  most: number,
): Row[] {
  const others = new Map(candidates.map((row) => [row.id, row]));
  others.delete(article.id);
  return [...others.values()]
    .sort(
      (one, other) =>
        Number(other.topic === article.topic) - Number(one.topic === article.topic) ||
        steps(one.level, article.level) - steps(other.level, article.level),
    )
    .slice(0, most);
}
