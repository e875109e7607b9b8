import type { Browser, BrowserContext, Page } from 'playwright-core';
import { measureRoutes } from '../../scripts/budgets.mjs';
import { serveBare } from './bare.ts';
import { contextOf, openBrowser } from './browser.ts';
import type { Figure, Measurement, OpenBench } from './figure.ts';

const rounds = 5;
/** Slow 4G as Chromium's developer tools know it: milliseconds there and back, bytes in a second. */
const slow4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1.47e6 / 8,
  uploadThroughput: 675e3 / 8,
};
const cpuTimesSlower = 4;

interface Paints {
  first: number;
  largest: number;
  shift: number;
}

declare global {
  interface Window {
    paints?: Paints;
  }
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4G);
  // A line that stays open, for news: the network would never rest.
  await session.send('Network.setBlockedURLs', { urls: ['*/api/notifications/stream'] });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuTimesSlower });
  await page.addInitScript(() => {
    const paints: Paints = { first: Number.NaN, largest: Number.NaN, shift: 0 };
    window.paints = paints;
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    watch('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') paints.first = startTime;
    });
    watch('largest-contentful-paint', ({ startTime }) => {
      paints.largest = startTime;
    });
    watch('layout-shift', (entry) => {
      if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
        paints.shift += Number(entry.value);
    });
  });
  return page;
}

/** Opens an address in a slow browser until its network rests. Out: its paints in milliseconds. */
async function visit(context: BrowserContext, address: string): Promise<Paints> {
  const page = await slowPage(context);
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

/** Stays on a page, on a good line, until the browser has kept the app; a page that keeps none is left at once. */
async function stay(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(address);
  if (await page.evaluate(() => document.querySelector('link[rel="manifest"]') !== null))
    await page.evaluate(() => navigator.serviceWorker.ready);
  await page.close();
}

/** A first visit and, once the browser has kept what it keeps of an app, a second one. */
async function visitTwice(browser: Browser, address: string, into: Visits, state?: string): Promise<void> {
  const context = await contextOf(browser, state);
  into.cold.push(await visit(context, address));
  await stay(context, address);
  into.repeat.push(await visit(context, address));
  await context.close();
}

const barePage =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><style>body{font:1rem sans-serif}</style><h1>Escucho</h1><p>Nothing but a page.';

function figuresOf(path: string, { cold, repeat }: Visits, bare: Visits): Figure[] {
  const of = (name: keyof Paints) => (paints: Paints) => paints[name];
  return [
    {
      what: `${path} first paint, cold`,
      unit: 'ms',
      ours: cold.map(of('first')),
      ceiling: bare.cold.map(of('first')),
      budget: 1200,
    },
    {
      what: `${path} largest paint, cold`,
      unit: 'ms',
      ours: cold.map(of('largest')),
      ceiling: bare.cold.map(of('first')),
      budget: 3200,
    },
    {
      what: `${path} first paint, repeat`,
      unit: 'ms',
      ours: repeat.map(of('first')),
      ceiling: bare.repeat.map(of('first')),
    },
    {
      what: `${path} largest paint, repeat`,
      unit: 'ms',
      ours: repeat.map(of('largest')),
      ceiling: bare.repeat.map(of('first')),
      budget: 800,
    },
    { what: `${path} layout shift, cold`, unit: '', ours: cold.map(of('shift')), budget: 0.02 },
  ];
}

async function measure(open: OpenBench): Promise<Figure[]> {
  const { origin, state } = await open();
  const bareServer = await serveBare({
    '/': { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: barePage },
  });
  const browser = await openBrowser();
  const [bare, signIn, discover]: Visits[] = [
    { cold: [], repeat: [] },
    { cold: [], repeat: [] },
    { cold: [], repeat: [] },
  ];
  if (!bare || !signIn || !discover) throw new Error('unreachable');
  try {
    for (let round = 0; round < rounds; round += 1) {
      await visitTwice(browser, `${bareServer.origin}/`, bare);
      await visitTwice(browser, `${origin}/auth/sign-in`, signIn);
      await visitTwice(browser, `${origin}/discover`, discover, state);
    }
  } finally {
    await browser.close();
    await bareServer.stop();
  }
  const sizes = measureRoutes().map(
    ({ path, kilobytes, budget }): Figure => ({
      what: `${path} JavaScript and CSS before content, gzipped`,
      unit: 'kB',
      ours: [kilobytes],
      budget,
    }),
  );
  return [...sizes, ...figuresOf('/auth/sign-in', signIn, bare), ...figuresOf('/discover', discover, bare)];
}

export const load: Measurement = {
  name: 'load',
  title: 'First load',
  how: `A phone viewport, a processor ${cpuTimesSlower} times slower, slow 4G (562.5 ms, 1.47 Mbit/s); ${rounds} interleaved rounds, each a cold visit and, once the service worker has cached the app, a repeat visit. Ceiling: first paint of a static page of 200 bytes from a bare Fastify server, in the same rounds.`,
  measure,
};
