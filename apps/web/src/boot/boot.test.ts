import { api, buildPath } from '@escucho/contracts';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PATH_ARGUMENT } from '../shared/paths.ts';
import { createToken, storeSession } from '../testing/identity.ts';
import { boot, type PagePreloads } from './boot.ts';

const discoverCall = `/api${buildPath(api.catalogue.discover)}`;
const preloads: PagePreloads = {
  '/discover': { files: { en: ['/en-discover.js'], es: [] }, calls: [discoverCall] },
  '/articles/read/': { files: { en: [], es: [] }, calls: [`/api/articles/${PATH_ARGUMENT}`] },
  '/articles/search/': {
    files: { en: [], es: [] },
    calls: [`/api/search?q=${PATH_ARGUMENT}&limit=20`],
    languageFilter: 'learning',
    callsByLanguage: { es: [`/api/search?q=${PATH_ARGUMENT}&language=es&limit=20`] },
  },
  '/articles/latest': {
    variantOf: '/articles/',
    calls: ['/api/articles'],
    languageFilter: 'address',
    callsByLanguage: { es: ['/api/articles?language=es'] },
  },
  '/articles/': { files: { en: ['/articles.js'], es: [] }, calls: [] },
  '/visual-book': { files: { en: [], es: [] }, calls: ['/api/books'] },
  '/library': { files: { en: [], es: ['/library.js', '/es-library.js'] }, calls: [] },
};

const loadDocument = vi.fn<(url: string) => void>();
const fetchMock = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>();
beforeEach(() => {
  document.head.innerHTML = '';
  for (const name of ['boot', 'page']) delete document.documentElement.dataset[name];
  document.documentElement.lang = 'en';
  loadDocument.mockReset();
  fetchMock.mockReset().mockRejectedValue(new TypeError('offline'));
  vi.stubGlobal('fetch', fetchMock);
});

// Else clicks in later tests are held back.
afterEach(() => window.__repeatEarlyEvent?.());

const getPreloads = () =>
  [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href'));

/** Boots a page with stored preferences; returns the preloaded code and the requests sent. */
function bootPage(url: string, preferences?: string) {
  history.replaceState(null, '', url);
  if (preferences) localStorage.setItem('config-storage', preferences);
  boot(Date.now(), loadDocument, preloads);
  return { preloaded: getPreloads(), calls: fetchMock.mock.calls.map(([requested]) => requested) };
}

it.each([
  ['nothing stored', undefined, 'dark'],
  ['light stored', '{"state":{"colorMode":"light"}}', 'light'],
  ['invalid JSON stored', '{{', 'dark'],
  ['an unknown mode stored', '{"state":{"colorMode":"<b>"}}', 'dark'],
  ['no state stored', 'null', 'dark'],
])('[SHELL-07] sets the theme before the first paint: %s', (_title, preferences, theme) => {
  bootPage('/terms', preferences);
  expect(document.documentElement.dataset.theme).toBe(theme);
});

it.each([
  ['the stored one', '{"state":{"language":"es"}}', ['en'], 'es'],
  ['the browser’s', undefined, ['es-CL', 'en'], 'es'],
  ['English', undefined, ['fr'], 'en'],
])('[SHELL-08] sets the language: %s', (_title, preferences, browser, language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  bootPage('/nowhere', preferences);
  expect(document.documentElement.lang).toBe(language);
});

it('preloads the page and sends its request with the token when signed in', () => {
  storeSession();
  expect(bootPage('/Discover?x=1')).toEqual({ preloaded: ['/en-discover.js'], calls: [discoverCall] });
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

it.each([
  ['an article', '/articles/read/a1', '/api/articles/a1', { article: { artwork: '/media/a.avif' } }, ['a']],
  [
    'the visual books',
    '/visual-book',
    '/api/books',
    { docs: ['b', 'c', 'd', 'e', 'f'].map((name) => ({ artwork: `/media/${name}.avif` })) },
    ['b', 'c', 'd', 'e'],
  ],
])(
  'requests what the address names, and preloads the images of %s',
  async (_title, url, call, body, names) => {
    storeSession();
    fetchMock.mockImplementation(async () => Response.json(body));
    expect(bootPage(url).calls).toEqual([call]);
    const hrefs = () =>
      [...document.querySelectorAll('link[rel=preload]')].map((link) => link.getAttribute('href'));
    await waitFor(() => expect(hrefs()).toEqual(names.map((name) => `/media/${name}.avif`)));
  },
);

const storeLearnedLanguage = (language: unknown) =>
  localStorage.setItem('user-storage', JSON.stringify({ state: { user: { learning: { language } } } }));

it.each([
  ['a term', '/articles/search/la%20niña', null, ['/api/search?q=la+ni%C3%B1a&limit=20']],
  [
    'a term that is no encoding',
    '/articles/search/%E0%A4%A',
    null,
    ['/api/search?q=%25E0%25A4%25A&limit=20'],
  ],
  ['a term, by a learner', '/articles/search/sol', 'es', ['/api/search?q=sol&language=es&limit=20']],
  ['the language of the address', '/articles/search/sol?language=all', 'es', ['/api/search?q=sol&limit=20']],
  ['a list, by a learner', '/articles/latest', 'es', ['/api/articles']],
  ['a list in a language', '/articles/latest?language=es', null, ['/api/articles?language=es']],
  ['nothing for another filter', '/articles/latest?language=es&level=A1', null, []],
  ['nothing wrong for what is no language', '/articles/latest?language=__proto__', null, ['/api/articles']],
])('requests a list or a search: %s', (_title, url, learned, calls) => {
  storeSession();
  storeLearnedLanguage(learned);
  expect(bootPage(url).calls).toEqual(calls);
});

it('preloads the files of the page that it is a variant of', () => {
  storeSession();
  expect(bootPage('/articles/latest').preloaded).toEqual(['/articles.js']);
});

it('preloads the page without its request when the token has expired', () => {
  storeSession(-10);
  expect(bootPage('/')).toEqual({ preloaded: ['/en-discover.js'], calls: ['/config.json'] });
});

it('hides the skeletons at an address that has none', () => {
  expect(bootPage('/auth/sign-in').preloaded).toEqual([]);
  expect(document.documentElement.dataset.boot).toBe('hidden');
});

it('preloads code and messages in the stored language', () => {
  storeSession();
  expect(bootPage('/library', '{"state":{"language":"es"}}').preloaded).toEqual([
    '/library.js',
    '/es-library.js',
  ]);
});

it.each([
  ['of the page, with its words', '/library/bookmarks', 'es', '/library', undefined],
  ['without words where the document has another language', '/library', 'en', '/library', 'wordless'],
  ['that the page shares', '/articles/latest', 'es', '/articles/', undefined],
])('shows the skeleton %s', (_title, url, documentLanguage, skeleton, state) => {
  storeSession();
  document.documentElement.lang = documentLanguage;
  const replaceSync = vi.spyOn(CSSStyleSheet.prototype, 'replaceSync');
  bootPage(url, '{"state":{"language":"es"}}');
  expect(replaceSync.mock.calls).toEqual([[`[data-skeleton="${skeleton}"]{display:block}`]]);
  expect(document.documentElement.dataset.boot).toBe(state);
});

it.each([
  ['[ROUTE-01] /', '/', '/auth/sign-in'],
  [
    '[ROUTE-03] a page for signed-in users',
    '/library?x=1#y',
    '/auth/sign-in?returnTo=%2Flibrary%3Fx%3D1%23y',
  ],
])('%s loads the document of sign-in without a session, and nothing else', (_title, url, target) => {
  expect(bootPage(url)).toEqual({ preloaded: [], calls: [] });
  expect(loadDocument.mock.calls).toEqual([[target]]);
  expect(document.documentElement.dataset.boot).toBe('leaving');
});

it('[ROUTE-01] /auth shows the document of sign-in under its own address', () => {
  document.documentElement.dataset.page = '/auth/sign-in';
  bootPage('/auth?email=ana@example.org');
  expect(loadDocument).not.toHaveBeenCalled();
  expect(location.pathname + location.search).toBe('/auth/sign-in?email=ana@example.org');
});

const spanish = '{"state":{"language":"es"}}';
it.each([
  ['is kept', '/auth/sign-in', () => undefined, undefined, true],
  ['is kept in the stored language', '/auth/sign-in', () => undefined, '{"state":{"language":"en"}}', true],
  ['is kept for a signed-in user where it is no auth page', '/terms', storeSession, undefined, true],
  ['is hidden in another language than the stored one', '/auth/sign-in', () => undefined, spanish, false],
  ['is hidden from a signed-in user, who is redirected', '/auth/sign-in', storeSession, undefined, false],
  [
    'is hidden on the way back from a provider',
    '/auth/sign-in?code=c&state=s',
    () => undefined,
    undefined,
    false,
  ],
] as const)('a prerendered page %s', (_title, url, prepare, preferences, isShown) => {
  document.documentElement.dataset.page = '/auth/sign-in';
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr']);
  prepare();
  bootPage(url, preferences);
  const { page, boot: state } = document.documentElement.dataset;
  expect({ page, state }).toEqual(isShown ? { page: '/auth/sign-in' } : { state: 'hidden' });
});

describe('the code of a prerendered page', () => {
  const modules = ['vendor', 'main'].map((name) => `data:text/javascript,evaluated.push('${name}')`);
  const evaluated: string[] = [];
  // Not a stub: a module may be evaluated after its test.
  beforeAll(() => void Object.assign(globalThis, { evaluated }));
  const bootPrerendered = (url: string, page = '/auth/sign-in') => {
    document.documentElement.dataset.page = page;
    history.replaceState(null, '', url);
    boot(Date.now(), loadDocument, {}, modules);
  };

  it.each(['the page is painted', 'a second without a paint'])('is loaded after %s', async (event) => {
    vi.useFakeTimers();
    let paint = (): void => undefined;
    class Observer {
      observe = vi.fn();
      disconnect = vi.fn();
      constructor(report: (entries: Pick<PerformanceObserverEntryList, 'getEntriesByName'>) => void) {
        paint = () => report({ getEntriesByName: () => [{} as PerformanceEntry] });
      }
    }
    vi.stubGlobal('PerformanceObserver', Observer);
    bootPrerendered('/auth/sign-in');
    expect(document.querySelector('link, script')).toBeNull();
    if (event === 'the page is painted') paint();
    else vi.advanceTimersByTime(1000);
    expect(getPreloads()).toEqual(modules);
  });

  it('is evaluated in order', async () => {
    bootPrerendered('/auth/sign-in?code=c&state=s');
    await waitFor(() => expect(evaluated).toEqual(['vendor', 'main']));
  });

  it('is loaded at once where the page is not shown', () => {
    bootPrerendered('/auth/sign-in?code=c&state=s');
    expect(getPreloads()).toEqual(modules);
  });

  it('is not loaded where another document is', () => {
    bootPrerendered('/library', '/not-found');
    expect(loadDocument).toHaveBeenCalledOnce();
    expect(document.querySelector('link, script')).toBeNull();
  });
});

it('holds back a click on a button until the page is hydrated, and repeats the last', () => {
  document.documentElement.dataset.page = '/auth/sign-in';
  bootPage('/auth/sign-in');
  document.body.innerHTML =
    '<div><button type="button">Language</button><button type="button">Show</button></div>';
  const clicked: (string | null)[] = [];
  document.body.firstElementChild?.addEventListener('click', ({ target }) => {
    if (target instanceof Element) clicked.push(target.textContent);
  });
  for (const button of document.querySelectorAll('button')) button.click();
  expect(clicked).toEqual([]);
  window.__repeatEarlyEvent?.();
  expect(clicked).toEqual(['Show']);
});

it('holds back a submit until the form is hydrated', () => {
  document.documentElement.dataset.page = '/auth/sign-in';
  bootPage('/auth/sign-in');
  document.body.innerHTML = '<form><button>Sign in</button></form>';
  const form = document.querySelector('form');
  const submits: boolean[] = [];
  form?.requestSubmit();
  form?.addEventListener('submit', (event) => {
    submits.push(event.defaultPrevented);
    event.preventDefault();
  });
  window.__repeatEarlyEvent?.();
  expect(submits).toEqual([false]);
});
