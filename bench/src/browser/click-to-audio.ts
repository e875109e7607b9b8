import type { Browser, Page } from 'playwright-core';
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

/** Plays the sample of /welcome. Returns the milliseconds to audio, and the URL of the file. */
async function measureSample(browser: Browser, { origin }: Environment): Promise<[number, string]> {
  const context = await openContext(browser);
  await recordClickToAudio(context);
  const page = await context.newPage();
  await page.goto(`${origin}/welcome`);
  await page.waitForLoadState('networkidle');
  await page
    .getByRole('article')
    .getByRole('button', { name: /^Play / })
    .click();
  const time = await getClickToAudio(page);
  const url = (await page.locator('audio').getAttribute('src')) ?? '';
  await context.close();
  return [time, url];
}

/** Opens an empty page of the same origin with an audio element and buttons, in a context of its own. */
async function openBarePage(browser: Browser, origin: string, body: string): Promise<Page> {
  const context = await openContext(browser);
  await recordClickToAudio(context);
  const page = await context.newPage();
  await page.route(`${origin}/bare`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html>${body}` }),
  );
  await page.goto(`${origin}/bare`);
  await page.waitForLoadState('networkidle');
  return page;
}

/** Plays the sample by a button and an audio element that has loaded its metadata, as that of /welcome has. */
async function measureBareSample(browser: Browser, { origin }: Environment, url: string): Promise<number> {
  const body = `<audio id="a" preload="metadata" src="${url.replaceAll('&', '&amp;')}"></audio><button onclick="a.play()">0</button>`;
  const page = await openBarePage(browser, origin, body);
  await page.getByRole('button').click();
  const time = await getClickToAudio(page);
  await page.context().close();
  return time;
}

/** Plays the same files by buttons and an audio element. */
async function measureBarePage(
  browser: Browser,
  { origin }: Environment,
  urls: readonly string[],
): Promise<[number, number]> {
  const buttons = urls
    .map((url, index) => `<button onclick="a.src='${url}';a.play()">${index}</button>`)
    .join('');
  const page = await openBarePage(browser, origin, `<audio id="a"></audio>${buttons}`);
  const times: number[] = [];
  for (const index of urls.keys()) {
    await page.getByRole('button', { name: String(index) }).click();
    times.push(await getClickToAudio(page));
  }
  await page.context().close();
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
  const [first, next, sample]: [number[], number[], number[]] = [[], [], []];
  const [bareFirst, bareNext, bareSample]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [firstMs, nextMs] = await measureProduct(browser, environment);
      first.push(firstMs);
      next.push(nextMs);
      const [bareFirstMs, bareNextMs] = await measureBarePage(browser, environment, urls);
      bareFirst.push(bareFirstMs);
      bareNext.push(bareNextMs);
      const [sampleMs, url] = await measureSample(browser, environment);
      sample.push(sampleMs);
      bareSample.push(await measureBareSample(browser, environment, url));
    }
  } finally {
    await browser.close();
  }
  return [
    { label: 'first play of a visit', unit: 'ms', values: first, ceiling: bareFirst },
    { label: 'next track played', unit: 'ms', values: next, ceiling: bareNext },
    { label: 'the sample of /welcome', unit: 'ms', values: sample, ceiling: bareSample },
  ];
}

export const clickToAudio: Measurement = {
  name: 'sound',
  title: 'Click to audio',
  method: `From a click on a card's play button, or that of the sample on \`/welcome\`, to the first frame after \`playing\` in which the position has advanced; ${ROUNDS} interleaved rounds in new browsers. Ceiling: a button and an audio element on an empty page of the same origin, with the same files from the same server.`,
  measure,
};
