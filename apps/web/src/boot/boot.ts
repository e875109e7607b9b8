import { findTokens, getExpiry, isFresh, JWT_KEY } from '../features/session/model/stored-tokens.ts';
import { chooseLanguage, colorModes, languages } from '../shared/choices.ts';
import { getStorageKeys, readStorage } from '../shared/storage.ts';
import { type Answer, drawRemembered, firstShelves } from './first-shelves.ts';
import type { Plan } from './plan.ts';

function preferences(): { colorMode?: unknown; language?: unknown } {
  try {
    return JSON.parse(readStorage('config-storage') ?? '{}').state ?? {};
  } catch {
    return {};
  }
}

const anyToken = () => readStorage(JWT_KEY) ?? findTokens(getStorageKeys(), readStorage);

function freshToken(now: number): string | null {
  const foreign = readStorage(JWT_KEY);
  if (foreign && isFresh({ expiresAt: getExpiry(foreign), clockDrift: 0 }, now)) return foreign;
  const tokens = findTokens(getStorageKeys(), readStorage);
  return tokens && isFresh(tokens, now) ? tokens.access : null;
}

function preload(attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), attributes));
}

/** What Discover's answer shows first is known before there is a page. */
async function preloadPictures(response: Response): Promise<void> {
  const answer: Answer = await response.clone().json();
  for (const { tracks } of firstShelves(answer, answer.continueListening ?? []).slice(0, 2))
    for (const { image } of tracks)
      preload({ rel: 'preload', as: 'image', fetchPriority: 'high', href: image });
}

/**
 * Runs inline in the head, before anything else: sets theme and language (SHELL-07, SHELL-08), preloads the code of the
 * page being opened and begins its first calls, so that they are under way while the code loads.
 */
export function boot(plan: Plan, now: number): void {
  const root = document.documentElement;
  const kept = preferences();
  const language = chooseLanguage(
    languages.find((one) => one === kept.language) ?? null,
    navigator.languages,
  );
  root.dataset.theme = colorModes.find((mode) => mode === kept.colorMode) ?? 'dark';
  root.lang = language;

  const path = location.pathname.toLowerCase();
  const isAuth = path.startsWith('/auth') || !anyToken();
  const name = path === '/' ? '/discover' : Object.keys(plan.pages).find((start) => path.startsWith(start));
  const page = isAuth ? plan.auth : name ? plan.pages[name] : undefined;
  if (isAuth) root.dataset.first = 'auth';

  // A browser asks for six things at once. The answer says what to ask for next, so it goes first.
  const token = freshToken(now);
  const early: Record<string, Promise<Response>> = {};
  if (token) {
    const headers = {
      accept: 'application/json',
      'accept-language': language,
      authorization: `Bearer ${token}`,
    };
    for (const address of page?.calls ?? []) early[address] = fetch(address, { headers });
  }
  const words = ['app', ...(page?.words ?? [])].flatMap((set) => plan.words[language]?.[set] ?? []);
  for (const href of [...(page?.files ?? []), ...words]) preload({ rel: 'modulepreload', href });
  if (!token) early[plan.config] = fetch(plan.config);
  // Whoever takes an answer hears of its failure; here it only means that there is nothing to show early.
  for (const answer of Object.values(early)) answer.then(preloadPictures).catch(() => undefined);
  window.__early = early;
  if (!isAuth && name === '/discover')
    document.addEventListener('readystatechange', () => drawRemembered(now), { once: true });
}
