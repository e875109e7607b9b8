import type { Browser } from 'playwright-core';
import type { Environment, Result } from '../measurement.ts';
import { openBrowser, openTouchContext } from '../support/browser.ts';
import { getClickToAudio, recordClickToAudio } from './click-timing.ts';
import { fetchNewestTracks, getButton, getNewest, openDiscover, resetProgress } from './player-page.ts';

export const CLICK_ROUNDS = 11;
/** What the player prefetches of the next track. */
const PREFETCH_BYTES = 256 * 1024;
/** Late enough that the player prefetches the next track. */
const SECONDS_BEFORE_END = 12;

/** Milliseconds to audio. The next track is prefetched. */
type Times = readonly [cold: number, warm: number, next: number];

async function measurePlayer(
  browser: Browser,
  { origin, state }: Environment,
  nextUrl: string,
): Promise<Times> {
  const context = await openTouchContext(browser, state);
  await recordClickToAudio(context);
  const first = await openDiscover(context, origin);
  await getNewest(first.page).tap();
  const cold = await getClickToAudio(first.page);
  await getButton(first.page, 'Pause').tap();
  await first.page.close();

  const { page } = await openDiscover(context, origin);
  await getNewest(page).tap();
  const warm = await getClickToAudio(page);
  const prefetched = page.waitForResponse((answer) => answer.url().includes(nextUrl));
  const slider = page.getByRole('slider', { name: 'Position' }).first();
  await slider.fill(String(Math.floor(Number(await slider.getAttribute('max'))) - SECONDS_BEFORE_END));
  await slider.dispatchEvent('pointerup');
  await (await prefetched).finished();
  await getButton(page, 'Next').tap();
  const next = await getClickToAudio(page);
  await context.close();
  return [cold, warm, next];
}

async function measureBarePage(
  browser: Browser,
  { origin }: Environment,
  urls: readonly string[],
): Promise<Times> {
  const context = await openTouchContext(browser);
  await recordClickToAudio(context);
  const open = async () => {
    const page = await context.newPage();
    const buttons = urls.map((url, index) => `<button data-url="${url}">${index}</button>`).join('');
    await page.route(`${origin}/bare`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><audio id="a"></audio>${buttons}<script>onclick=({target})=>{a.src=target.dataset.url;a.play()}</script>`,
      }),
    );
    await page.goto(`${origin}/bare`);
    return page;
  };
  const play = async (page: Awaited<ReturnType<typeof open>>, index: number) => {
    await page.getByRole('button', { name: String(index) }).tap();
    return getClickToAudio(page);
  };
  const first = await open();
  const cold = await play(first, 0);
  await first.close();
  const page = await open();
  const warm = await play(page, 0);
  await page.evaluate(
    async ({ url, prefetchBytes }) => {
      await (await fetch(url, { headers: { range: `bytes=0-${prefetchBytes - 1}` } })).arrayBuffer();
    },
    { url: urls[1] ?? '', prefetchBytes: PREFETCH_BYTES },
  );
  const next = await play(page, 1);
  await context.close();
  return [cold, warm, next];
}

/** Measures the time from a click to audio, compared to an audio element on an empty page. */
export async function measureClicks(environment: Environment): Promise<Result[]> {
  const tracks = (await fetchNewestTracks(environment)).slice(0, 2);
  const urls = tracks.flatMap(({ url }) => (url ? [url] : []));
  const path = (url = '') => new URL(url, environment.origin).pathname;
  const browser = await openBrowser();
  const [playerTimes, bareTimes]: [Times[], Times[]] = [[], []];
  try {
    for (let round = 0; round < CLICK_ROUNDS; round += 1) {
      await resetProgress(environment, tracks);
      playerTimes.push(await measurePlayer(browser, environment, path(urls[1])));
      bareTimes.push(await measureBarePage(browser, environment, urls));
    }
  } finally {
    await browser.close();
  }
  return ['click to audio, cold', 'click to audio, warm', 'next track, preloaded'].map((label, index) => ({
    label,
    unit: 'ms',
    values: playerTimes.map((times) => times[index] ?? Number.NaN),
    ceiling: bareTimes.map((times) => times[index] ?? Number.NaN),
  }));
}
