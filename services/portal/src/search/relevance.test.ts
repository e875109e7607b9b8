import { api } from '@escucho/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../testing/catalogue.ts';
import { startPortal } from '../testing/portal.ts';
import { queries } from '../testing/queries.ts';

const { call, reader, db, article } = await startPortal();
const { token } = await reader();
beforeAll(async () => {
  await loadDemo(db);
});

const cases = Object.entries(queries).flatMap(([slug, asked]) => asked.map((q) => ({ q, slug })));

/** At which place the piece comes, from 1; Infinity where it does not come among the first twenty. */
async function placeOf(q: string, slug: string): Promise<number> {
  const { docs } = await call(api.search.search, token, { query: { q } });
  const index = docs.findIndex(({ track }) => track._id === article(slug));
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1;
}

describe('what one meant comes first', () => {
  it('[CAT-03] of the demo catalogue, in both languages', async () => {
    const placed = await Promise.all(
      cases.map(async ({ q, slug }) => ({ q, slug, place: await placeOf(q, slug) })),
    );
    const share = (most: number) => placed.filter(({ place }) => place <= most).length / placed.length;
    const reciprocal = placed.reduce((sum, { place }) => sum + 1 / place, 0) / placed.length;
    console.log(
      placed.length,
      share(5),
      share(1),
      reciprocal,
      placed.filter(({ place }) => place > 1),
    );
    expect(placed.length).toBeGreaterThanOrEqual(120);
    expect(share(5)).toBeGreaterThanOrEqual(0.95);
  });
});
