import { api, buildPath } from '@escucho/contracts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { createToken, storeSession } from '../testing/identity.ts';
import { boot, type PreloadPlan } from './boot.ts';

const discoverCall = `/api${buildPath(api.catalogue.discover)}`;
const plan: PreloadPlan = {
  pages: {
    '/discover': { files: ['/assets/discover.js'], namespaces: [], calls: [discoverCall] },
    '/library': { files: ['/assets/library.js'], namespaces: ['auth'], calls: [] },
  },
  auth: { files: ['/assets/sign-in.js'], namespaces: ['auth'], calls: [] },
  messages: {
    en: { auth: ['/assets/en-auth.js'] },
    es: { app: ['/assets/es-app.js'], auth: ['/assets/es-auth.js'] },
  },
  config: '/config.json',
};

const fetchMock = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>();
beforeEach(() => {
  document.head.innerHTML = '';
  delete document.documentElement.dataset.skeleton;
  fetchMock.mockReset().mockRejectedValue(new TypeError('offline'));
  vi.stubGlobal('fetch', fetchMock);
});

/** Boots a page with stored preferences; returns the preloaded code and the requests sent. */
function bootPage(url: string, preferences?: string) {
  history.replaceState(null, '', url);
  if (preferences) localStorage.setItem('config-storage', preferences);
  boot(plan, Date.now());
  const preloaded = [...document.querySelectorAll('link[rel=modulepreload]')].map((link) =>
    link.getAttribute('href'),
  );
  return { preloaded, calls: fetchMock.mock.calls.map(([requested]) => requested) };
}

it.each([
  ['nothing stored', undefined, 'dark'],
  ['light stored', '{"state":{"colorMode":"light"}}', 'light'],
  ['invalid JSON stored', '{{', 'dark'],
  ['an unknown mode stored', '{"state":{"colorMode":"<b>"}}', 'dark'],
  ['no state stored', 'null', 'dark'],
])('[SHELL-07] sets the theme before the first paint: %s', (_title, preferences, theme) => {
  bootPage('/discover', preferences);
  expect(document.documentElement.dataset.theme).toBe(theme);
});

it.each([
  ['the stored one', '{"state":{"language":"es"}}', ['en'], 'es'],
  ['the browser’s', undefined, ['es-CL', 'en'], 'es'],
  ['English', undefined, ['fr'], 'en'],
])('[SHELL-08] sets the language: %s', (_title, preferences, browser, language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  bootPage('/discover', preferences);
  expect(document.documentElement.lang).toBe(language);
});

it('preloads the page and sends its request with the token when signed in', () => {
  storeSession();
  expect(bootPage('/Discover?x=1')).toEqual({ preloaded: ['/assets/discover.js'], calls: [discoverCall] });
  const headers = new Headers(fetchMock.mock.calls[0]?.[1]?.headers);
  expect(headers.get('authorization')).toMatch(/^Bearer e30\./);
  expect(Object.keys(window.__early ?? {})).toEqual([discoverCall]);
});

it('sends the API request before it preloads code', () => {
  storeSession();
  let preloadedBefore: number | null = null;
  fetchMock.mockImplementation(async () => {
    preloadedBefore ??= document.querySelectorAll('link').length;
    return Response.json({});
  });
  bootPage('/discover');
  expect(preloadedBefore).toBe(0);
});

it('prefers a third party’s token', () => {
  storeSession();
  const thirdParty = createToken();
  localStorage.setItem('jwtAccessToken', thirdParty);
  bootPage('/');
  expect(new Headers(fetchMock.mock.calls[0]?.[1]?.headers).get('authorization')).toBe(
    `Bearer ${thirdParty}`,
  );
});

const buildTracks = (name: string, length: number) =>
  Array.from({ length }, (_, index) => ({ image: `/media/${name}${index}.avif`, artwork: '/media/large' }));

it.each([
  ['a phone', 390, [], ['a0', 'a1', 'a2', 'c0', 'c1', 'c2']],
  ['a large screen', 1440, [], ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'c0', 'c1', 'c2', 'c3']],
  ['a phone, with a track begun', 390, buildTracks('b', 2), ['b0', 'b1', 'a0', 'a1', 'a2']],
])(
  'preloads the visible images on %s and leaves the response readable',
  async (_title, width, begun, visible) => {
    storeSession();
    vi.stubGlobal('innerWidth', width);
    const rows = [buildTracks('a', 12), [], buildTracks('c', 4), buildTracks('d', 4)].map((tracks) => ({
      tracks,
    }));
    const body = { continueListening: begun, rows };
    fetchMock.mockImplementation(async () => Response.json(body));
    bootPage('/');
    const hrefs = () =>
      [...document.querySelectorAll('link[rel=preload]')].map((link) => link.getAttribute('href'));
    await waitFor(() => expect(hrefs()).toEqual(visible.map((name) => `/media/${name}.avif`)));
    expect(await (await window.__early?.[discoverCall])?.json()).toEqual(body);
  },
);

it('preloads the page without its request when the token has expired', () => {
  storeSession(-10);
  expect(bootPage('/')).toEqual({ preloaded: ['/assets/discover.js'], calls: ['/config.json'] });
});

it('preloads sign-in and shows its skeleton without a session', () => {
  expect(bootPage('/library')).toEqual({
    preloaded: ['/assets/sign-in.js', '/assets/en-auth.js'],
    calls: ['/config.json'],
  });
  expect(document.documentElement.dataset.skeleton).toBe('auth');
});

it('preloads the messages of the stored language', () => {
  storeSession();
  expect(bootPage('/library', '{"state":{"language":"es"}}').preloaded).toEqual([
    '/assets/library.js',
    '/assets/es-app.js',
    '/assets/es-auth.js',
  ]);
});
