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

/** At which place a piece comes, from 1; Infinity where it is not among the first twenty. */
async function placeOf(q: string, slug: string): Promise<number> {
  const { docs } = await call(api.search.search, token, { query: { q } });
  const index = docs.findIndex(({ track }) => track._id === articleId(slug));
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1;
}

describe('what one meant comes first', () => {
  it('[CAT-03] of the demo catalogue, in both languages: prefixes, several words, typos, no accents, phrases that were heard', async () => {
    const cases = Object.entries(queries).flatMap(([slug, asked]) => asked.map((q) => ({ q, slug })));
    const placed = await Promise.all(
      cases.map(async ({ q, slug }) => ({ q, place: await placeOf(q, slug) })),
    );
    const within = (most: number) => placed.filter(({ place }) => place <= most);
    const meanReciprocalRank = placed.reduce((sum, { place }) => sum + 1 / place, 0) / placed.length;
    expect(placed.length).toBeGreaterThan(250);
    expect(within(5).length / placed.length).toBeGreaterThanOrEqual(0.95);
    // As it is now, so that a change shows, for better or worse.
    expect(meanReciprocalRank).toBeCloseTo(0.996, 3);
    // A word of the translation, which is not searched.
    expect(placed.filter(({ place }) => place > 5)).toEqual([
      { q: 'nutria', place: Number.POSITIVE_INFINITY },
    ]);
  });
});
