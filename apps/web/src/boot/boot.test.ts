import { api, buildPath } from '@escucho/contracts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { createToken, storeSession } from '../testing/identity.ts';
import { boot } from './boot.ts';
import type { Plan } from './plan.ts';

const discoverCall = `/api${buildPath(api.catalogue.discover)}`;
const plan: Plan = {
  pages: {
    '/discover': { files: ['/assets/listening.js'], words: [], calls: [discoverCall] },
    '/library': { files: ['/assets/library.js'], words: ['more'], calls: [] },
  },
  auth: { files: ['/assets/sign-in.js'], words: ['more'], calls: [] },
  words: {
    en: { more: ['/assets/en-more.js'] },
    es: { app: ['/assets/es-app.js'], more: ['/assets/es-more.js'] },
  },
  config: '/config.json',
};

const fetched = vi.fn<(address: string, init?: RequestInit) => Promise<Response>>();
beforeEach(() => {
  document.head.innerHTML = '';
  delete document.documentElement.dataset.first;
  fetched.mockReset().mockRejectedValue(new TypeError('offline'));
  vi.stubGlobal('fetch', fetched);
});

/** Opens a page with what the browser keeps. Out: the code that is preloaded, the calls that are begun. */
function open(address: string, kept?: string) {
  history.replaceState(null, '', address);
  if (kept) localStorage.setItem('config-storage', kept);
  boot(plan, Date.now());
  const preloaded = [...document.querySelectorAll('link[rel=modulepreload]')].map((link) =>
    link.getAttribute('href'),
  );
  return { preloaded, calls: fetched.mock.calls.map(([called]) => called) };
}

it.each([
  ['nothing kept', undefined, 'dark'],
  ['light kept', '{"state":{"colorMode":"light"}}', 'light'],
  ['garbage kept', '{{', 'dark'],
  ['a strange mode kept', '{"state":{"colorMode":"<b>"}}', 'dark'],
  ['no state kept', 'null', 'dark'],
])('[SHELL-07] sets the theme before anything is drawn: %s', (_title, kept, theme) => {
  open('/discover', kept);
  expect(document.documentElement.dataset.theme).toBe(theme);
});

it.each([
  ['the kept one', '{"state":{"language":"es"}}', ['en'], 'es'],
  ['the browser’s', undefined, ['es-CL', 'en'], 'es'],
  ['English', undefined, ['fr'], 'en'],
])('[SHELL-08] sets the language: %s', (_title, kept, browser, language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  open('/discover', kept);
  expect(document.documentElement.lang).toBe(language);
});

it('for a signed-in reader preloads the page and begins its call, with the token', () => {
  storeSession();
  expect(open('/Discover?x=1')).toEqual({ preloaded: ['/assets/listening.js'], calls: [discoverCall] });
  const headers = new Headers(fetched.mock.calls[0]?.[1]?.headers);
  expect(headers.get('authorization')).toMatch(/^Bearer e30\./);
  expect(Object.keys(window.__early ?? {})).toEqual([discoverCall]);
});

it('asks for the answer before the code: a browser asks for only so many things at once', () => {
  storeSession();
  let preloadedBefore: number | null = null;
  fetched.mockImplementation(async () => {
    preloadedBefore ??= document.querySelectorAll('link').length;
    return Response.json({});
  });
  open('/discover');
  expect(preloadedBefore).toBe(0);
});

it('prefers a third party’s token', () => {
  storeSession();
  const foreign = createToken();
  localStorage.setItem('jwtAccessToken', foreign);
  open('/');
  expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).get('authorization')).toBe(`Bearer ${foreign}`);
});

/** A shelf of as many covers, named by the shelf and their number. */
const shelf = (name: string, length: number) =>
  Array.from({ length }, (_, index) => ({ image: `/media/${name}${index}.avif`, artwork: '/media/large' }));

it.each([
  ['a phone', 390, [], ['a0', 'a1', 'a2', 'c0', 'c1', 'c2']],
  ['a large screen', 1440, [], ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'c0', 'c1', 'c2', 'c3']],
  ['a phone, with something begun', 390, shelf('b', 2), ['b0', 'b1', 'a0', 'a1', 'a2']],
])(
  'preloads the pictures in sight on %s, and leaves the answer whole',
  async (_title, width, begun, seen) => {
    storeSession();
    vi.stubGlobal('innerWidth', width);
    const rows = [shelf('a', 12), [], shelf('c', 4), shelf('d', 4)].map((tracks) => ({ tracks }));
    const body = { continueListening: begun, rows };
    fetched.mockImplementation(async () => Response.json(body));
    open('/');
    const hrefs = () =>
      [...document.querySelectorAll('link[rel=preload]')].map((link) => link.getAttribute('href'));
    await waitFor(() => expect(hrefs()).toEqual(seen.map((name) => `/media/${name}.avif`)));
    expect(await (await window.__early?.[discoverCall])?.json()).toEqual(body);
  },
);

it('with a token that has ended preloads the page but sends nothing', () => {
  storeSession(-10);
  expect(open('/')).toEqual({ preloaded: ['/assets/listening.js'], calls: ['/config.json'] });
});

it('for a visitor without a session preloads sign-in, whatever the address, and shows its shape', () => {
  expect(open('/library')).toEqual({
    preloaded: ['/assets/sign-in.js', '/assets/en-more.js'],
    calls: ['/config.json'],
  });
  expect(document.documentElement.dataset.first).toBe('auth');
});

it('preloads the words of the reader’s language', () => {
  storeSession();
  expect(open('/library', '{"state":{"language":"es"}}').preloaded).toEqual([
    '/assets/library.js',
    '/assets/es-app.js',
    '/assets/es-more.js',
  ]);
});
