import { api } from '@escucho/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDemoLibrary } from '../testing/catalogue.ts';
import { startPortal } from '../testing/portal.ts';
import { queries } from '../testing/queries.ts';

const { call, createUser, db, articleId } = await startPortal();
const { token } = await createUser();
beforeAll(async () => {
  await loadDemoLibrary(db);
});

/** Returns an article's rank from 1; Infinity when it is not among the first twenty. */
async function findRank(q: string, slug: string): Promise<number> {
  const { docs } = await call(api.search.search, token, { query: { q } });
  const index = docs.findIndex(({ track }) => track._id === articleId(slug));
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1;
}

describe('ranking', () => {
  it('[CAT-03] puts the expected articles of the demo catalogue first in both languages', async () => {
    const cases = Object.entries(queries).flatMap(([slug, texts]) => texts.map((q) => ({ q, slug })));
    const ranked = await Promise.all(
      cases.map(async ({ q, slug }) => ({ q, rank: await findRank(q, slug) })),
    );
    const within = (maxRank: number) => ranked.filter(({ rank }) => rank <= maxRank);
    const meanReciprocalRank = ranked.reduce((sum, { rank }) => sum + 1 / rank, 0) / ranked.length;
    expect(ranked.length).toBeGreaterThan(250);
    expect(within(5).length / ranked.length).toBeGreaterThanOrEqual(0.95);
    // The current value, so that any change is noticed.
    expect(meanReciprocalRank).toBeCloseTo(0.996, 3);
    // A word of the translation, which is not searched.
    expect(ranked.filter(({ rank }) => rank > 5)).toEqual([{ q: 'nutria', rank: Number.POSITIVE_INFINITY }]);
  });
});
