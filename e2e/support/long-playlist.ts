import type { Page } from '@playwright/test';
import { idOf, trackOf } from './tracks.ts';

interface Track {
  _id: string;
  title: string;
}

const listId = idOf(900_000);

/**
 * Puts a playlist of more tracks than the demo catalogue has before a page: the network answers for it, as the portal
 * would. Out: its address, and the order that the "server" has.
 */
export async function longPlaylist(page: Page, length: number) {
  let tracks: Track[] = Array.from({ length }, (_, index) => ({
    ...trackOf(index + 1),
    ...{ title: `Track ${index + 1}`, source: 'Long walk', playlist: listId },
  }));
  const list = () => ({
    ...{ _id: listId, name: 'Long walk', titles: null, origin: 'user', active: true, images: [] },
    ...{ totalTracks: tracks.length, totalDuration: tracks.length * 100 },
    createdAt: '2026-11-01T00:00:00.000Z',
  });
  await page.route(`**/api/playlist/find-by-id/${listId}`, (route) => route.fulfill({ json: list() }));
  await page.route(`**/api/playlist/find-playlist-content/${listId}?*`, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [number, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const docs = tracks.slice((number - 1) * limit, number * limit);
    return route.fulfill({ json: { docs, totalDocs: tracks.length } });
  });
  await page.route('**/api/playlist', (route) => {
    const form = new URLSearchParams(route.request().postData() ?? '');
    const [moved, after] = (form.get('articles.moved') ?? ':').split(':');
    const track = tracks.find(({ _id }) => _id === moved);
    tracks = tracks.filter(({ _id }) => _id !== form.get('articles.removed') && _id !== moved);
    if (track) tracks = tracks.toSpliced(tracks.findIndex(({ _id }) => _id === after) + 1, 0, track);
    return route.fulfill({ json: list() });
  });
  return { path: `/playlist/${listId}`, order: () => tracks.map(({ title }) => title) };
}
