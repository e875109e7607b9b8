import type { Browser, Page } from 'playwright-core';
import type { Environment, Measurement, OpenEnvironment, Result } from '../measurement.ts';
import { openBrowser, openSession, openTouchContext, slowDevice, slowDown } from '../support/browser.ts';
import { getClickToAudio, recordClickToAudio } from './click-timing.ts';
import { fetchNewestTracks, resetProgress } from './player-page.ts';

const ROUNDS = 11;

/** The milliseconds to audio of a track, and of the next one in the same visit. */
type Times = readonly [first: number, next: number];

/** Plays Discover's first track, then its second, in one visit. */
async function measureProduct(
  browser: Browser,
  { origin, state }: Environment,
  isSlow: boolean,
): Promise<Times> {
  const context = await openTouchContext(browser, state);
  await recordClickToAudio(context);
  const page = await context.newPage();
  const session = await openSession(page);
  await page.goto(`${origin}/discover`);
  const tracks = page
    .getByRole('region', { name: 'Latest articles', exact: true })
    .getByRole('button', { name: /^Play (?!all of )/ });
  const names = await Promise.all([0, 1].map((index) => tracks.nth(index).getAttribute('aria-label')));
  await page.waitForLoadState('networkidle');
  if (isSlow) await slowDown(session);
  const times: number[] = [];
  for (const name of names) {
    await page
      .getByRole('button', { name: name ?? '', exact: true })
      .first()
      .tap();
    times.push(await getClickToAudio(page));
  }
  await context.close();
  return [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
}

/** Plays the sample of /welcome. Returns the milliseconds to audio, and the URL of the file. */
async function measureSample(browser: Browser, { origin }: Environment): Promise<[number, string]> {
  const context = await openTouchContext(browser);
  await recordClickToAudio(context);
  const page = await context.newPage();
  await page.goto(`${origin}/welcome`);
  await page.waitForLoadState('networkidle');
  await page
    .getByRole('article')
    .getByRole('button', { name: /^Play / })
    .tap();
  const time = await getClickToAudio(page);
  const url = (await page.locator('audio').getAttribute('src')) ?? '';
  await context.close();
  return [time, url];
}

/** Opens an empty page of the same origin with an audio element and buttons, in a context of its own. */
async function openBarePage(browser: Browser, origin: string, body: string): Promise<Page> {
  const context = await openTouchContext(browser);
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
  await page.getByRole('button').tap();
  const time = await getClickToAudio(page);
  await page.context().close();
  return time;
}

/** Plays the same files by buttons and an audio element. */
async function measureBarePage(
  browser: Browser,
  { origin }: Environment,
  urls: readonly string[],
  isSlow: boolean,
): Promise<Times> {
  const buttons = urls
    .map(
      (url, index) => `<button onclick="a.src='${url.replaceAll('&', '&amp;')}';a.play()">${index}</button>`,
    )
    .join('');
  const page = await openBarePage(browser, origin, `<audio id="a"></audio>${buttons}`);
  if (isSlow) await slowDown(await openSession(page));
  const times: number[] = [];
  for (const index of urls.keys()) {
    await page.getByRole('button', { name: String(index) }).tap();
    times.push(await getClickToAudio(page));
  }
  await page.context().close();
  return [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
}

interface Rounds {
  product: Times[];
  bare: Times[];
}

/** Adds a round of the product and of the bare page, with the tracks from their beginning. */
async function addRound(
  rounds: Rounds,
  browser: Browser,
  environment: Environment,
  isSlow: boolean,
): Promise<void> {
  const tracks = (await fetchNewestTracks(environment)).slice(0, 2);
  const urls = tracks.flatMap(({ url }) => (url ? [url] : []));
  await resetProgress(environment, tracks);
  rounds.product.push(await measureProduct(browser, environment, isSlow));
  rounds.bare.push(await measureBarePage(browser, environment, urls, isSlow));
}

const toResults = ({ product, bare }: Rounds, suffix: string): Result[] =>
  ['first play of a visit', 'next track played'].map((label, index) => ({
    label: `${label}${suffix}`,
    unit: 'ms',
    values: product.map((times) => times[index] ?? Number.NaN),
    ceiling: bare.map((times) => times[index] ?? Number.NaN),
  }));

async function measure(open: OpenEnvironment): Promise<Result[]> {
  const environment = await open();
  const browser = await openBrowser();
  const fast: Rounds = { product: [], bare: [] };
  const slow: Rounds = { product: [], bare: [] };
  const [sample, bareSample]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await addRound(fast, browser, environment, false);
      await addRound(slow, browser, environment, true);
      const [sampleMs, url] = await measureSample(browser, environment);
      sample.push(sampleMs);
      bareSample.push(await measureBareSample(browser, environment, url));
    }
  } finally {
    await browser.close();
  }
  return [
    ...toResults(fast, ''),
    ...toResults(slow, ', slow phone'),
    { label: 'the sample of /welcome', unit: 'ms', values: sample, ceiling: bareSample },
  ];
}

export const clickToAudio: Measurement = {
  name: 'sound',
  title: 'Click to audio',
  method: `From a tap on a card's play button, or on that of the sample on \`/welcome\`, to the start of the sound: the time of the first \`timeupdate\` half a second after \`playing\`, minus what has been played by then. ${ROUNDS} interleaved rounds in new browsers with a touch screen. On a slow phone: ${slowDevice}, once the page has loaded. Ceiling: a button and an audio element on an empty page of the same origin, with the same files from the same server.`,
  measure,
};
