import type { Browser } from 'playwright-core';
import type { Environment, Measurement, OpenEnvironment, Result } from '../measurement.ts';
import { openBrowser, openContext } from '../support/browser.ts';
import { getClickToAudio, recordClickToAudio } from './click-timing.ts';

const ROUNDS = 5;

/** Plays Discover's first track, then its second, in one visit. Returns the milliseconds to audio of each. */
async function measureProduct(browser: Browser, { origin, state }: Environment): Promise<[number, number]> {
  const context = await openContext(browser, state);
  await recordClickToAudio(context);
  const page = await context.newPage();
  // An event stream stays open, so the network would never be idle.
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/api/notifications/stream'] });
  await page.goto(`${origin}/discover`);
  const tracks = page
    .getByRole('region', { name: 'Latest articles', exact: true })
    .getByRole('button', { name: /^Play (?!all of )/ });
  const names = await Promise.all([0, 1].map((index) => tracks.nth(index).getAttribute('aria-label')));
  await page.waitForLoadState('networkidle');
  const times: number[] = [];
  for (const name of names) {
    await page
      .getByRole('button', { name: name ?? '', exact: true })
      .first()
      .click();
    times.push(await getClickToAudio(page));
  }
  await context.close();
  return [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
}

/** Plays the same files by buttons and an audio element on an empty page of the same origin. */
async function measureBarePage(
  browser: Browser,
  { origin }: Environment,
  urls: readonly string[],
): Promise<[number, number]> {
  const context = await openContext(browser);
  await recordClickToAudio(context);
  const page = await context.newPage();
  const buttons = urls
    .map((url, index) => `<button onclick="a.src='${url}';a.play()">${index}</button>`)
    .join('');
  await page.route(`${origin}/bare`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><audio id="a"></audio>${buttons}` }),
  );
  await page.goto(`${origin}/bare`);
  const times: number[] = [];
  for (const index of urls.keys()) {
    await page.getByRole('button', { name: String(index) }).click();
    times.push(await getClickToAudio(page));
  }
  await context.close();
  return [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
}

interface Discover {
  rows: { tracks: { url: string | null }[] }[];
}

async function fetchAudioUrls({ origin, bearer }: Environment): Promise<string[]> {
  const response = await fetch(`${origin}/api/catalogue/discover`, { headers: { authorization: bearer } });
  const discover: Discover = await response.json();
  const tracks = discover.rows[0]?.tracks ?? [];
  return tracks.slice(0, 2).flatMap(({ url }) => (url ? [url.replaceAll('&', '&amp;')] : []));
}

async function measure(open: OpenEnvironment): Promise<Result[]> {
  const environment = await open();
  const urls = await fetchAudioUrls(environment);
  const browser = await openBrowser();
  const [first, next, bareFirst, bareNext]: [number[], number[], number[], number[]] = [[], [], [], []];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [firstMs, nextMs] = await measureProduct(browser, environment);
      first.push(firstMs);
      next.push(nextMs);
      const [bareFirstMs, bareNextMs] = await measureBarePage(browser, environment, urls);
      bareFirst.push(bareFirstMs);
      bareNext.push(bareNextMs);
    }
  } finally {
    await browser.close();
  }
  return [
    { label: 'first play of a visit', unit: 'ms', values: first, ceiling: bareFirst },
    { label: 'next track played', unit: 'ms', values: next, ceiling: bareNext },
  ];
}

export const clickToAudio: Measurement = {
  name: 'sound',
  title: 'Click to audio',
  method: `From a click on a card's play button to the first frame after \`playing\` in which the position has advanced; ${ROUNDS} interleaved rounds in new browsers. Ceiling: a button and an audio element on an empty page of the same origin, with the same files from the same server.`,
  measure,
};
