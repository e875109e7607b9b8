import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { clearDiscoverCache } from '../features/catalogue/discover-cache.ts';
import { writeStorage } from '../shared/storage.ts';
import { ana, mockSignedInUser } from '../testing/app.tsx';
import { storeSession } from '../testing/identity.ts';
import { boot } from './boot.ts';

const now = Date.now();
const hour = 60 * 60 * 1000;
const page = readFileSync(join(import.meta.dirname, '../../index.html'), 'utf8');

const shelf = (name: string, length: number) => ({
  tracks: Array.from({ length }, (_, index) => ({
    title: `${name} <i>${index}`,
    image: `/media/${name}${index}.avif`,
  })),
});
const seen = { rows: [shelf('a', 12), shelf('none', 0), shelf('c', 4)], atLevel: null };
const remember = (answer: unknown, at: number, reader = ana._id) =>
  writeStorage('discover-storage', JSON.stringify({ reader, at, answer }));

/** Opens a page as the browser does: its head's script, then the rest of it. Out: the pictures in its first shape. */
function open(address: string): string[] {
  history.replaceState(null, '', address);
  const pages = { '/discover': { files: [], words: [], calls: [] } };
  boot({ pages, auth: { files: [], words: [], calls: [] }, words: {}, config: '/config.json' }, now);
  document.dispatchEvent(new Event('readystatechange'));
  return [...document.querySelectorAll('#first-shelves img')].map((image) => image.getAttribute('src') ?? '');
}

beforeEach(() => {
  document.body.innerHTML = page.slice(page.indexOf('<div id="root">'), page.indexOf('<script'));
  vi.stubGlobal('innerWidth', 390);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  storeSession();
  mockSignedInUser();
  remember(seen, now - hour);
});

it('[CAT-02] what Discover showed last stands there before the app does, in its rows', () => {
  expect(open('/discover')).toEqual(
    ['a0', 'a1', 'a2', 'c0', 'c1', 'c2'].map((name) => `/media/${name}.avif`),
  );
  expect(document.querySelector('#first-shelves p')?.textContent).toBe('a <i>0');
});

it('what was begun comes first, and what is at the reader’s level second', () => {
  writeStorage(
    'continue-listening-storage',
    JSON.stringify({ state: { entries: shelf('b', 1).tracks }, version: 1 }),
  );
  remember({ ...seen, atLevel: shelf('l', 1) }, now);
  expect(open('/')).toEqual(['b0', 'a0', 'a1', 'a2', 'l0'].map((name) => `/media/${name}.avif`));
});

it.each([
  ['on another page', '/library', () => undefined],
  ['when it was seen more than a day ago', '/discover', () => remember(seen, now - 25 * hour)],
  ['when it is another reader’s', '/discover', () => remember(seen, now, 'luis')],
  ['when nothing is kept', '/discover', clearDiscoverCache],
  ['when a stranger’s text is kept', '/discover', () => writeStorage('discover-storage', '{"rows":')],
  ['when a stranger’s answer is kept', '/discover', () => remember({ rows: [7] }, now)],
  ['for somebody who is not signed in', '/discover', () => localStorage.clear()],
])('the shape stays empty %s', (_title, address, change) => {
  change();
  expect(open(address)).toEqual([]);
  expect(document.querySelectorAll('#first-shelves .skeleton').length).toBeGreaterThan(3);
});
