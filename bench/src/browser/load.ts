import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DISCOVER_CACHE_KEY } from '../../../apps/web/src/features/catalogue/discover-cache.ts';
import { measureRoutes } from '../../../scripts/budgets.mjs';
import type { Measurement, OpenEnvironment, Options, Result } from '../measurement.ts';
import { startBareServer } from '../support/bare-server.ts';
import { openBrowser, openContext, openSession, slowDevice, slowDown } from '../support/browser.ts';

const ROUNDS = 5;
interface Paints {
  first: number;
  largest: number;
  shift: number;
  /** When the page's controls answer: React has taken over the document's, or rendered its own. */
  usable: number;
}

declare global {
  interface Window {
    paints?: Paints;
  }
}

async function openSlowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await slowDown(await openSession(page));
  await page.addInitScript(() => {
    const paints: Paints = { first: Number.NaN, largest: Number.NaN, shift: 0, usable: Number.NaN };
    window.paints = paints;
    const observe = (type: string, handle: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({ type, buffered: true });
    const timer = setInterval(() => {
      const control = document.querySelector('[aria-haspopup=menu]');
      if (!control || !Object.keys(control).some((key) => key.startsWith('__reactProps'))) return;
      paints.usable = performance.now();
      clearInterval(timer);
    }, 10);
    observe('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') paints.first = startTime;
    });
    observe('largest-contentful-paint', ({ startTime }) => {
      paints.largest = startTime;
    });
    observe('layout-shift', (entry) => {
      if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
        paints.shift += Number(entry.value);
    });
  });
  return page;
}

/** Opens a URL in a slow browser until the network is idle. Returns its paint times in milliseconds. */
async function measureVisit(context: BrowserContext, address: string): Promise<Paints> {
  const page = await openSlowPage(context);
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 });
  await page.getByRole('heading').first().waitFor({ timeout: 60_000 });
  await page.waitForLoadState('networkidle', { timeout: 60_000 });
  const paints = await page.evaluate(() => window.paints);
  await page.close();
  if (!paints) throw new Error(`Nothing was painted at ${address}.`);
  return paints;
}

interface Visits {
  cold: Paints[];
  repeat: Paints[];
}

/**
 * Opens a page without throttling until its service worker is ready, if it has a web app manifest, and nothing is loaded
 * any more: else the next visit would compete with it.
 */
async function waitForServiceWorker(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  await openSession(page);
  await page.goto(address);
  if (await page.evaluate(() => document.querySelector('link[rel="manifest"]') !== null))
    await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForLoadState('networkidle');
  await page.close();
}

/** Measures a cold visit and, once the app is cached, a repeat visit. */
async function measureVisits(
  browser: Browser,
  address: string,
  visits: Visits,
  state?: string,
): Promise<void> {
  const context = await openContext(browser, state);
  visits.cold.push(await measureVisit(context, address));
  await waitForServiceWorker(context, address);
  visits.repeat.push(await measureVisit(context, address));
  await context.close();
}

/** Returns a storage state without the last Discover page: what a browser has stored before its first visit to it. */
function withoutDiscover(state: string): string {
  const { cookies, origins }: Awaited<ReturnType<BrowserContext['storageState']>> = JSON.parse(state);
  const filtered = origins.map(({ origin, localStorage }) => ({
    origin,
    localStorage: localStorage.filter(({ name }) => name !== DISCOVER_CACHE_KEY),
  }));
  return JSON.stringify({ cookies, origins: filtered });
}

const BARE_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><style>body{font:1rem sans-serif}</style><h1>Escucho</h1><p>Nothing but a page.';

function toResults(path: string, { cold, repeat }: Visits, bare: Visits): Result[] {
  const get = (name: keyof Paints) => (paints: Paints) => paints[name];
  return [
    {
      label: `${path} first paint, cold`,
      unit: 'ms',
      values: cold.map(get('first')),
      ceiling: bare.cold.map(get('first')),
      budget: 1200,
    },
    {
      label: `${path} largest paint, cold`,
      unit: 'ms',
      values: cold.map(get('largest')),
      ceiling: bare.cold.map(get('first')),
      budget: 3200,
    },
    {
      label: `${path} first paint, repeat`,
      unit: 'ms',
      values: repeat.map(get('first')),
      ceiling: bare.repeat.map(get('first')),
    },
    {
      label: `${path} largest paint, repeat`,
      unit: 'ms',
      values: repeat.map(get('largest')),
      ceiling: bare.repeat.map(get('first')),
      budget: 800,
    },
    { label: `${path} usable, cold`, unit: 'ms', values: cold.map(get('usable')), budget: 2600 },
    { label: `${path} layout shift, cold`, unit: '', values: cold.map(get('shift')), budget: 0.02 },
  ];
}

async function measure(open: OpenEnvironment, { rounds = ROUNDS }: Options): Promise<Result[]> {
  const { origin, state } = await open();
  const bareServer = await startBareServer({
    '/': { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: BARE_PAGE },
  });
  const browser = await openBrowser();
  const createVisits = (): Visits => ({ cold: [], repeat: [] });
  const bare = createVisits();
  const signIn = createVisits();
  const welcome = createVisits();
  const discover = createVisits();
  const firstDiscover = createVisits();
  try {
    for (let round = 0; round < rounds; round += 1) {
      await measureVisits(browser, `${bareServer.origin}/`, bare);
      await measureVisits(browser, `${origin}/auth/sign-in`, signIn);
      await measureVisits(browser, `${origin}/welcome`, welcome);
      await measureVisits(browser, `${origin}/discover`, discover, state);
      await measureVisits(browser, `${origin}/discover`, firstDiscover, withoutDiscover(state));
    }
  } finally {
    await browser.close();
    await bareServer.stop();
  }
  const sizes = measureRoutes().flatMap(({ path, kilobytes, files, budget }): Result[] => [
    {
      label: `${path} JavaScript and CSS before content, gzipped`,
      unit: 'kB',
      values: [kilobytes],
      budget: budget.kilobytes,
    },
    { label: `${path} files of JavaScript before content`, unit: '', values: [files], budget: budget.files },
  ]);
  return [
    ...sizes,
    ...toResults('/auth/sign-in', signIn, bare),
    ...toResults('/welcome', welcome, bare),
    ...toResults('/discover', discover, bare),
    ...toResults('/discover for the first time', firstDiscover, bare),
  ];
}

export const load: Measurement = {
  name: 'load',
  title: 'First load',
  method: `A phone viewport, ${slowDevice}; ${ROUNDS} interleaved rounds, each a cold visit and, once the service worker has cached the app, a repeat visit. A cold visit has nothing in the HTTP cache and no service worker; to Discover, it has what an earlier visit stored (the session and the last rows), or, for the first time, the session alone. Ceiling: first paint of a static page of 200 bytes from a bare Fastify server, in the same rounds.`,
  measure,
};
