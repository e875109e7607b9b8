import type { Page } from '@playwright/test';

const createId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const createTrack = (number: number, title: string) => ({
  _id: createId(number),
  title,
  artist: 'Amelia',
  url: null,
  artwork: '/favicon.svg',
  image: '/favicon.svg',
  loudness: null,
  duration: 100,
  progress: 0,
  like: false,
  kind: 'article',
  language: 'en',
  level: 'B1',
  topic: 'travel',
});

/** Mocks the lists of a catalogue of `length` articles, named `Article 1` and so on. */
export async function mockLongCatalogue(page: Page, length: number) {
  const skips: number[] = [];
  let isFailing = false;
  await page.route('**/api/catalogue/articles?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [limit, skip] = [Number(query.get('limit')), Number(query.get('skip'))];
    const after = Number(query.get('after')?.slice(-12) ?? 0);
    skips.push(skip);
    if (isFailing) return route.abort();
    const from = after + skip;
    const size = Math.max(0, Math.min(limit, length - from));
    const docs = Array.from({ length: size }, (_, index) => ({
      ...createTrack(from + index + 1, `Article ${from + index + 1}`),
      source: 'all',
      playlist: null,
    }));
    return route.fulfill({ json: { docs, totalDocs: length } });
  });
  return {
    /** The `skip` parameter of each request. */
    skips,
    /** Makes requests fail, or succeed again. */
    setFailing: (value: boolean) => {
      isFailing = value;
    },
  };
}

const createHistoryEntry = (number: number) => {
  const { artist, ...track } = createTrack(number, `Entry ${number}`);
  return {
    ...track,
    audio: track.url,
    narrator: { name: artist, image: null },
    listenedAt: '2026-11-20T10:00:00.000Z',
  };
};

/** Mocks a listening history of `length` entries, named `Entry 1` and so on. */
export async function mockLongHistory(page: Page, length: number): Promise<void> {
  const all = Array.from({ length }, (_, index) => createHistoryEntry(index + 1));
  let entries = all;
  await page.route('**/api/listening/history?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [number, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const docs = entries.slice((number - 1) * limit, number * limit);
    return route.fulfill({ json: { docs, totalDocs: entries.length } });
  });
  await page.route('**/api/listening/history/*', (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1);
    entries = route.request().method() === 'DELETE' ? entries.filter(({ _id }) => _id !== id) : all;
    return route.fulfill({ json: { _id: id } });
  });
}

const playlistId = createId(900_000);

/** Mocks a playlist of `length` tracks, named `Track 1` and so on, that can be reordered. */
export async function mockLongPlaylist(page: Page, length: number) {
  let tracks = Array.from({ length }, (_, index) => ({
    ...createTrack(index + 1, `Track ${index + 1}`),
    source: 'Long walk',
    playlist: playlistId,
  }));
  const toPlaylist = () => ({
    _id: playlistId,
    name: 'Long walk',
    titles: null,
    origin: 'user',
    active: true,
    images: [],
    totalTracks: tracks.length,
    totalDuration: tracks.length * 100,
    createdAt: '2026-11-01T00:00:00.000Z',
  });
  await page.route(`**/api/playlist/find-by-id/${playlistId}`, (route) =>
    route.fulfill({ json: toPlaylist() }),
  );
  await page.route(`**/api/playlist/find-playlist-content/${playlistId}?*`, (route) => {
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
    return route.fulfill({ json: { ...toPlaylist(), addedTracks: 0 } });
  });
  return {
    path: `/playlist/${playlistId}`,
    /** Returns the titles in the order that was saved. */
    getOrder: () => tracks.map(({ title }) => title),
  };
}
