import { getInitialRedirect, isOAuthCallback } from '../app/auth-redirects.ts';
import { findTokens, getExpiry, isFresh, JWT_KEY } from '../features/session/model/stored-tokens.ts';
import { chooseLanguage, colorModes, type Language, languages } from '../shared/choices.ts';
import { fetchInTime } from '../shared/network.ts';
import { decodePathSegment, PATH_ARGUMENT } from '../shared/paths.ts';
import { getStorageKeys, readStorage, readStorageJson, type StoreName } from '../shared/storage.ts';
import { adoptStyles } from '../shared/ui/adopt-styles.ts';
import { type DiscoverResponse, findCachedRows, getFirstRows, renderRows } from './discover-preview.ts';

declare global {
  interface Window {
    /** The preloads that the build has written into index.html. */
    __preloads?: PagePreloads;
    /** The code of a prerendered page that the build has written into its document, each module after what it imports. */
    __modules?: readonly string[];
    /** Renders the stored rows of Discover into its skeleton, which calls it. */
    __renderCachedDiscover?: () => void;
    /** Repeats what the user submitted or clicked before hydration. */
    __repeatEarlyEvent?: () => void;
  }
}

/** What a page for signed-in users preloads. */
interface PagePreload {
  /** The beginning of the paths of the page whose skeleton and files it has. */
  variantOf?: string;
  /** URLs of its code and messages, by language. */
  files?: Record<Language, readonly string[]>;
  /** URLs of what it requests first, which may contain `PATH_ARGUMENT`. */
  calls: readonly string[];
  languageFilter?: LanguageFilter;
  /** The URLs by the language of the content that the page filters by. */
  callsByLanguage?: Readonly<Record<string, readonly string[]>>;
}

/** Where the filter by language of a page comes from: from its address only, or else from what the user learns. */
export type LanguageFilter = 'address' | 'learning';

/** The preloads of index.html by the beginning of the path, in lower case. Prerendered pages have links of their own. */
export type PagePreloads = Readonly<Record<string, PagePreload>>;

const CONFIG_URL = '/config.json';

/** What is stored by the stores `config-storage` and `user-storage`. */
interface StoredState {
  colorMode?: unknown;
  language?: unknown;
  user?: { learning?: { language?: unknown } } | null;
}

const readState = (name: StoreName): StoredState => Object(readStorageJson(name)).state ?? {};

const hasSession = () => Boolean(readStorage(JWT_KEY) ?? findTokens(getStorageKeys(), readStorage));

function findFreshToken(now: number): string | null {
  const thirdParty = readStorage(JWT_KEY);
  if (thirdParty && isFresh({ expiresAt: getExpiry(thirdParty), clockDrift: 0 }, now)) return thirdParty;
  const tokens = findTokens(getStorageKeys(), readStorage);
  return tokens && isFresh(tokens, now) ? tokens.access : null;
}

/** Returns what a page requests first at its address; nothing where other filters than the language decide about it. */
function findCalls({ calls, languageFilter, callsByLanguage = {} }: PagePreload): readonly string[] {
  if (!languageFilter) return calls;
  const { language, ...otherFilters } = Object.fromEntries(new URLSearchParams(location.search));
  if (Object.keys(otherFilters).length > 0) return [];
  const learned =
    languageFilter === 'learning' ? readState('user-storage').user?.learning?.language : undefined;
  const filter = language ?? learned;
  return Object.entries(callsByLanguage).find(([name]) => name === filter)?.[1] ?? calls;
}

/** Returns what follows the beginning of the path, as it stands in the URLs of requests. */
function getArgument(path: string): string {
  const value = decodePathSegment(path.split('/', 1)[0] ?? '');
  return new URLSearchParams({ value }).toString().slice('value='.length);
}

function preload(attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), attributes));
}

/** What the responses have of the images at the top of their pages. */
interface ImageResponse extends DiscoverResponse {
  article: { artwork: string };
  docs: { artwork: string }[];
}

/** How many covers of a grid are in view on a phone, in two columns. */
const GRID_COVERS = 4;

function preloadImages(urls: readonly string[]): void {
  for (const href of urls) preload({ rel: 'preload', as: 'image', fetchPriority: 'high', href });
}

/** Show or preload the images that are the largest in view, by the beginning of the path. */
const imageHandlers: Partial<Record<string, (response: ImageResponse) => void>> = {
  '/discover': (discover) => renderRows(getFirstRows(discover, discover.continueListening ?? [])),
  '/articles/read/': ({ article }) => preloadImages([article.artwork]),
  '/visual-book': ({ docs }) => preloadImages(docs.slice(0, GRID_COVERS).map(({ artwork }) => artwork)),
};

/** Shows or preloads the images of a response before the app's code has loaded. */
async function showImages(name: string, response: Response): Promise<void> {
  const show = response.ok ? imageHandlers[name] : undefined;
  show?.(await response.clone().json());
}

/**
 * Holds back submits and clicks on buttons of a prerendered page until it is hydrated, so that no input is lost or sent as
 * it is; the last one is repeated then.
 */
function holdEvents(): void {
  let repeat = (): void => undefined;
  const holdSubmit = (event: Event) => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) repeat = event.target.requestSubmit.bind(event.target);
  };
  // In the capture phase: React, which may be hydrating, would handle it, too.
  const holdClick = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button?.type !== 'button') return;
    event.stopPropagation();
    repeat = button.click.bind(button);
  };
  addEventListener('submit', holdSubmit);
  addEventListener('click', holdClick, true);
  window.__repeatEarlyEvent = () => {
    removeEventListener('submit', holdSubmit);
    removeEventListener('click', holdClick, true);
    repeat();
  };
}

/** Loads the code of a prerendered page. Each module is evaluated in a task of its own, between which input is answered. */
async function loadModules(urls: readonly string[]): Promise<void> {
  for (const href of urls) preload({ rel: 'modulepreload', href });
  for (const url of urls) {
    await import(/* @vite-ignore */ url);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Tabs in the background are not painted, and some browsers do not report it. */
const PAINT_TIMEOUT_MS = 1000;

/** Runs a function once the content of the document is painted. */
function runAfterPaint(run: () => void): void {
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first-contentful-paint').length > 0) finish();
  });
  const timer = setTimeout(finish, PAINT_TIMEOUT_MS);
  function finish(): void {
    observer.disconnect();
    clearTimeout(timer);
    run();
  }
  observer.observe({ type: 'paint', buffered: true });
}

/** Returns whether the page that the document has is the one that the app renders first. */
function canHydrate({ page }: DOMStringMap, isLanguage: boolean): boolean {
  const isAuth = location.pathname.toLowerCase().startsWith('/auth');
  return page !== undefined && isLanguage && !(isAuth && (hasSession() || isOAuthCallback(location)));
}

/**
 * Runs inline in the head, before any module: sets theme and language (SHELL-07, SHELL-08), preloads the code of the
 * requested page and sends its first requests, so that both are in flight while the app's code loads.
 *
 * @param now in milliseconds
 * @param loadDocument loads a URL in place of this document
 * @param preloads of index.html
 * @param modules of the document of a prerendered page, which is painted before they are requested
 */
export function boot(
  now: number,
  loadDocument: (url: string) => void,
  preloads: PagePreloads = {},
  modules: readonly string[] = [],
): void {
  const root = document.documentElement;
  const stored = readState('config-storage');
  const storedLanguage = languages.find((supported) => supported === stored.language) ?? null;
  root.dataset.theme = colorModes.find((mode) => mode === stored.colorMode) ?? 'dark';

  // Sign-in is a document of its own, which is shown sooner than the app could render it (ROUTE-01, ROUTE-03).
  const redirect = hasSession() ? null : getInitialRedirect(location, 'signed-out');
  if (redirect && redirect.split('?')[0] === root.dataset.page) history.replaceState(null, '', redirect);
  else if (redirect) {
    root.dataset.boot = 'leaving';
    loadDocument(redirect);
    return;
  }

  const path = location.pathname.toLowerCase();
  const name = path === '/' ? '/discover' : Object.keys(preloads).find((prefix) => path.startsWith(prefix));
  const page = name ? preloads[name] : undefined;
  const base = page?.variantOf ?? name;
  const load = () => void loadModules(modules);
  if (canHydrate(root.dataset, storedLanguage === null || storedLanguage === root.lang)) {
    holdEvents();
    runAfterPaint(load);
  } else {
    load();
    delete root.dataset.page;
    const language = chooseLanguage(storedLanguage, navigator.languages);
    // The document has the skeletons of the pages for signed-in users.
    if (!page || path.startsWith('/auth')) root.dataset.boot = 'hidden';
    else if (language !== root.lang) root.dataset.boot = 'wordless';
    adoptStyles(`[data-skeleton="${base}"]{display:block}`);
    root.lang = language;
  }

  // Browsers open six connections per origin: the API response decides what is loaded next, so it goes first, then what
  // is painted, then code.
  const token = findFreshToken(now);
  const early: Record<string, Promise<Response>> = {};
  if (token) {
    const headers = {
      accept: 'application/json',
      'accept-language': root.lang,
      authorization: `Bearer ${token}`,
    };
    const argument = getArgument(location.pathname.slice(name?.length));
    for (const call of page ? findCalls(page) : []) {
      const url = call.replace(PATH_ARGUMENT, () => argument);
      early[url] = fetchInTime(url, { headers });
    }
  }
  const cachedRows = page && name === '/discover' ? findCachedRows(now) : [];
  const covers = cachedRows.find(({ template }) => template === 'covers-template');
  preloadImages(covers?.tracks.map(({ image }) => image) ?? []);
  const files = base ? preloads[base]?.files : undefined;
  for (const href of files?.[root.lang === 'es' ? 'es' : 'en'] ?? []) preload({ rel: 'modulepreload', href });
  if (!token) early[CONFIG_URL] = fetchInTime(CONFIG_URL);
  // Failures are handled by the API client, which takes these responses.
  for (const request of Object.values(early))
    request.then((response) => showImages(name ?? '', response)).catch(() => undefined);
  window.__early = early;
  window.__renderCachedDiscover = () => renderRows(cachedRows);
}
