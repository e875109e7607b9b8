import type { Page } from '@playwright/test';
import { trackOf } from './tracks.ts';

const heard = (number: number) => {
  const { artist, ...track } = trackOf(number);
  return {
    ...track,
    ...{ title: `Heard ${number}`, audio: track.url, narrator: { name: artist, image: null } },
    heardAt: '2026-11-20T10:00:00.000Z',
  };
};

/** Puts a history of so many tracks before a page: the network answers for it, as the portal would. */
export async function longHistory(page: Page, length: number): Promise<void> {
  const all = Array.from({ length }, (_, index) => heard(index + 1));
  let left = all;
  await page.route('**/api/listening/history?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [number, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const docs = left.slice((number - 1) * limit, number * limit);
    return route.fulfill({ json: { docs, totalDocs: left.length } });
  });
  await page.route('**/api/listening/history/*', (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1);
    const isTaken = route.request().method() === 'DELETE';
    left = isTaken ? left.filter(({ _id }) => _id !== id) : all;
    return route.fulfill({ json: { _id: id } });
  });
}
