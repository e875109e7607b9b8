import type { Page } from '@playwright/test';
import { trackOf } from './tracks.ts';

const track = (number: number) => ({
  ...trackOf(number),
  ...{ title: `Piece ${number}`, source: 'all', playlist: null },
});

/**
 * Puts a catalogue of so many pieces before a page: the network answers for its lists, as the portal would. Out: how many
 * were skipped with each request, and a switch that makes it fail.
 */
export async function longCatalogue(page: Page, length: number) {
  const skipped: number[] = [];
  let fails = false;
  await page.route('**/api/catalogue/articles?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [limit, skip] = [Number(query.get('limit')), Number(query.get('skip'))];
    const after = Number(query.get('after')?.slice(-12) ?? 0);
    skipped.push(skip);
    if (fails) return route.abort();
    const from = after + skip;
    const size = Math.max(0, Math.min(limit, length - from));
    const docs = Array.from({ length: size }, (_, index) => track(from + index + 1));
    return route.fulfill({ json: { docs, totalDocs: length } });
  });
  return {
    skipped,
    fail: (now: boolean) => {
      fails = now;
    },
  };
}
