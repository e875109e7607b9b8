import { isOAuthCallback } from '../app/auth-redirects.ts';
import { findTokens, getExpiry, isFresh, JWT_KEY } from '../features/session/model/stored-tokens.ts';
import { chooseLanguage, colorModes, languages } from '../shared/choices.ts';
import { getStorageKeys, readStorage } from '../shared/storage.ts';
import { type DiscoverResponse, getFirstRows, renderCachedDiscover } from './cached-discover.ts';

declare global {
  interface Window {
    /** Submits the form again that was submitted before hydration. */
    __submitEarlyForm?: () => void;
  }
}

/** The preloads of a page. */
export interface PagePreload {
  /** URLs of its code. */
  files: readonly string[];
  /** Message namespaces beside `app`. */
  namespaces: readonly string[];
  /** Endpoints of the own API that it requests first, for signed-in users. */
  calls: readonly string[];
}

/** The boot script's preloads, written at build time. */
export interface PreloadPlan {
  /** By the beginning of the path, in lower case. */
  pages: Record<string, PagePreload>;
  auth: PagePreload;
  /** URLs of the message files, by language and namespace. */
  messages: Record<string, Record<string, readonly string[]>>;
  /** URL of the public configuration. */
  config: string;
}

function readPreferences(): { colorMode?: unknown; language?: unknown } {
  try {
    return JSON.parse(readStorage('config-storage') ?? '{}').state ?? {};
  } catch {
    return {};
  }
}

const hasSession = () => Boolean(readStorage(JWT_KEY) ?? findTokens(getStorageKeys(), readStorage));

function findFreshToken(now: number): string | null {
  const thirdParty = readStorage(JWT_KEY);
  if (thirdParty && isFresh({ expiresAt: getExpiry(thirdParty), clockDrift: 0 }, now)) return thirdParty;
  const tokens = findTokens(getStorageKeys(), readStorage);
  return tokens && isFresh(tokens, now) ? tokens.access : null;
}

function preload(attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), attributes));
}

/** The images at the top of Discover are known before the page is rendered. */
async function preloadImages(response: Response): Promise<void> {
  const discover: DiscoverResponse = await response.clone().json();
  for (const { tracks } of getFirstRows(discover, discover.continueListening ?? []).slice(0, 2))
    for (const { image } of tracks)
      preload({ rel: 'preload', as: 'image', fetchPriority: 'high', href: image });
}

/** Holds back submits of a prerendered form until it is hydrated, so that no input is lost or sent as it is. */
function holdSubmits(): void {
  let submitted: EventTarget | null = null;
  const hold = (event: Event) => {
    event.preventDefault();
    submitted = event.target;
  };
  addEventListener('submit', hold);
  window.__submitEarlyForm = () => {
    removeEventListener('submit', hold);
    if (submitted instanceof HTMLFormElement) submitted.requestSubmit();
  };
}

/**
 * Runs inline in the head, before any module: sets theme and language (SHELL-07, SHELL-08), preloads the code of the
 * requested page and sends its first requests, so that both are in flight while the app's code loads.
 *
 * @param now in milliseconds
 */
export function boot(plan: PreloadPlan, now: number): void {
  const root = document.documentElement;
  const stored = readPreferences();
  const storedLanguage = languages.find((supported) => supported === stored.language);
  const path = location.pathname.toLowerCase();
  if (root.dataset.page) holdSubmits();
  if (
    root.dataset.page &&
    ((storedLanguage && storedLanguage !== root.lang) ||
      (path.startsWith('/auth') && (hasSession() || isOAuthCallback(location))))
  ) {
    // Another page is rendered in its place.
    delete root.dataset.page;
    root.dataset.skeleton = 'none';
  }
  const prerendered = languages.find((supported) => root.dataset.page && supported === root.lang);
  const language = prerendered ?? chooseLanguage(storedLanguage ?? null, navigator.languages);
  root.dataset.theme = colorModes.find((mode) => mode === stored.colorMode) ?? 'dark';
  root.lang = language;

  const isAuth = path.startsWith('/auth') || !hasSession();
  const name = path === '/' ? '/discover' : Object.keys(plan.pages).find((prefix) => path.startsWith(prefix));
  const page = isAuth ? plan.auth : name ? plan.pages[name] : undefined;
  if (isAuth && !root.dataset.page) root.dataset.skeleton ??= 'auth';

  // Browsers open six connections per origin; the API response decides what is loaded next, so it goes first.
  const token = findFreshToken(now);
  const early: Record<string, Promise<Response>> = {};
  if (token) {
    const headers = {
      accept: 'application/json',
      'accept-language': language,
      authorization: `Bearer ${token}`,
    };
    for (const url of page?.calls ?? []) early[url] = fetch(url, { headers });
  }
  const messages = ['app', ...(page?.namespaces ?? [])].flatMap(
    (namespace) => plan.messages[language]?.[namespace] ?? [],
  );
  for (const href of [...(page?.files ?? []), ...messages]) preload({ rel: 'modulepreload', href });
  if (!token) early[plan.config] = fetch(plan.config);
  // Failures are handled by the API client, which takes these responses.
  for (const response of Object.values(early)) response.then(preloadImages).catch(() => undefined);
  window.__early = early;
  if (!isAuth && name === '/discover')
    document.addEventListener('readystatechange', () => renderCachedDiscover(now), { once: true });
}
