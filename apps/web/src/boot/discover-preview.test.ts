import { api, buildPath } from '@escucho/contracts';
import { waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { clearDiscoverCache } from '../features/catalogue/discover-cache.ts';
import { renderSkeleton } from '../prerender/render-skeleton.tsx';
import { writeStorage } from '../shared/storage.ts';
import { ana, mockSignedInUser } from '../testing/app.tsx';
import { storeSession } from '../testing/identity.ts';
import { boot } from './boot.ts';

const now = Date.now();
const hour = 60 * 60 * 1000;
let skeleton = '';
beforeAll(async () => {
  skeleton = await renderSkeleton();
});

const buildRow = (name: string, length: number) => ({
  tracks: Array.from({ length }, (_, index) => ({
    title: `${name} <i>${index}`,
    image: `/media/${name}${index}.avif`,
  })),
});
const discover = { rows: [buildRow('a', 12), buildRow('none', 0), buildRow('c', 4)], atLevel: null };
const storeDiscover = (response: unknown, at: number, userId = ana._id) =>
  writeStorage('discover-storage', JSON.stringify({ userId, at, answer: response }));

const discoverCall = `/api${buildPath(api.catalogue.discover)}`;

/** Returns the addresses of the images in the skeleton. */
const getImages = () =>
  [...document.querySelectorAll('#discover-preview img')].map((image) => image.getAttribute('src'));

/** Boots a page and runs the script of its skeleton; returns the images in the skeleton. */
function bootPage(url: string) {
  history.replaceState(null, '', url);
  boot(now, () => undefined, {
    '/discover': { files: { en: ['/discover.js'], es: [] }, calls: [discoverCall] },
  });
  window.__renderCachedDiscover?.();
  return getImages();
}

beforeEach(() => {
  delete window.__renderCachedDiscover;
  document.head.innerHTML = '';
  document.body.innerHTML = skeleton;
  vi.stubGlobal('innerWidth', 390);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  storeSession();
  mockSignedInUser();
  storeDiscover(discover, now - hour);
});

it('[CAT-02] renders the cached Discover before the app has loaded', () => {
  expect(bootPage('/discover')).toEqual(
    ['a0', 'a1', 'a2', 'c0', 'c1', 'c2'].map((name) => `/media/${name}.avif`),
  );
  expect(document.querySelector('#discover-preview p')?.textContent).toBe('a <i>0');
});

it('renders the tracks begun first and those at the user’s level second', () => {
  writeStorage(
    'continue-listening-storage',
    JSON.stringify({ state: { entries: buildRow('b', 1).tracks }, version: 1 }),
  );
  storeDiscover({ ...discover, atLevel: buildRow('l', 1) }, now);
  expect(bootPage('/')).toEqual(['b0', 'a0', 'a1', 'a2', 'l0'].map((name) => `/media/${name}.avif`));
});

it.each([
  ['a phone', 390, 0, ['a0', 'a1', 'a2', 'c0', 'c1', 'c2']],
  ['a large screen', 1440, 0, ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'c0', 'c1', 'c2', 'c3']],
  ['a phone, with tracks begun', 390, 2, ['b0', 'b1', 'a0', 'a1', 'a2', 'c0', 'c1', 'c2']],
])('renders the response on %s, and leaves it readable', async (_title, width, begun, visible) => {
  clearDiscoverCache();
  vi.stubGlobal('innerWidth', width);
  const body = { ...discover, continueListening: buildRow('b', begun).tracks };
  vi.stubGlobal('fetch', async () => Response.json(body));
  expect(bootPage('/')).toEqual([]);
  await waitFor(() => expect(getImages()).toEqual(visible.map((name) => `/media/${name}.avif`)));
  expect(await (await window.__early?.[discoverCall])?.json()).toEqual(body);
});

it('preloads the covers of the cached Discover before the code', () => {
  bootPage('/discover');
  const hrefs = [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href'));
  expect(hrefs).toEqual(['/media/a0.avif', '/media/a1.avif', '/media/a2.avif', '/discover.js']);
});

it('keeps the rows that are shown when the response arrives', async () => {
  const response = Response.json({ rows: [buildRow('n', 2)] });
  vi.stubGlobal('fetch', async () => response);
  const shown = bootPage('/discover');
  await response.clone().json();
  await window.__early?.[discoverCall];
  expect(getImages()).toEqual(shown);
});

it.each([
  ['on another page', '/library', () => undefined],
  ['when the cache is older than a day', '/discover', () => storeDiscover(discover, now - 25 * hour)],
  ['when the cache is another user’s', '/discover', () => storeDiscover(discover, now, 'luis')],
  ['when nothing is cached', '/discover', clearDiscoverCache],
  ['when the cache is not JSON', '/discover', () => writeStorage('discover-storage', '{"rows":')],
  ['when the cache has another shape', '/discover', () => storeDiscover({ rows: [7] }, now)],
  ['when a track is missing', '/discover', () => storeDiscover({ rows: [{ tracks: [null] }] }, now)],
  ['when signed out', '/discover', () => localStorage.clear()],
])('the skeleton stays empty %s', (_title, url, change) => {
  change();
  expect(bootPage(url)).toEqual([]);
  expect(document.querySelectorAll('#discover-preview .skeleton').length).toBeGreaterThan(3);
});
