import type { Browser } from 'playwright-core';
import { contextOf, openBrowser } from './browser.ts';
import { heardAfter, timeClicks } from './clicks.ts';
import type { Bench, Figure } from './figure.ts';
import { control, newest, newestTracks, openDiscover, rewind } from './player-page.ts';

export const clickRounds = 5;
/** What the player fetches of the next track; bytes. */
const beginning = 256 * 1024;
/** Before the end, so that the next track is made ready; seconds. */
const nearEnd = 12;

/** Milliseconds to sound: cold, warm, and of the next track once it is ready. */
type Times = readonly [cold: number, warm: number, next: number];

async function ours(browser: Browser, { origin, state }: Bench, nextUrl: string): Promise<Times> {
  const context = await contextOf(browser, state);
  await timeClicks(context);
  const first = await openDiscover(context, origin);
  await newest(first.page).click();
  const cold = await heardAfter(first.page);
  await control(first.page, 'Pause').click();
  await first.page.close();

  const { page } = await openDiscover(context, origin);
  await newest(page).click();
  const warm = await heardAfter(page);
  const ready = page.waitForResponse((answer) => answer.url().includes(nextUrl));
  const slider = page.getByRole('slider', { name: 'Position' }).first();
  await slider.fill(String(Math.floor(Number(await slider.getAttribute('max'))) - nearEnd));
  await slider.dispatchEvent('pointerup');
  await (await ready).finished();
  await control(page, 'Next').click();
  const next = await heardAfter(page);
  await context.close();
  return [cold, warm, next];
}

async function bare(browser: Browser, { origin }: Bench, urls: readonly string[]): Promise<Times> {
  const context = await contextOf(browser);
  await timeClicks(context);
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
    await page.getByRole('button', { name: String(index) }).click();
    return heardAfter(page);
  };
  const first = await open();
  const cold = await play(first, 0);
  await first.close();
  const page = await open();
  const warm = await play(page, 0);
  await page.evaluate(
    async ({ url, beginning }) => {
      await (await fetch(url, { headers: { range: `bytes=0-${beginning - 1}` } })).arrayBuffer();
    },
    { url: urls[1] ?? '', beginning },
  );
  const next = await play(page, 1);
  await context.close();
  return [cold, warm, next];
}

/** From a click to sound, beside an audio element on an empty page. */
export async function measureClicks(bench: Bench): Promise<Figure[]> {
  const tracks = (await newestTracks(bench)).slice(0, 2);
  const urls = tracks.flatMap(({ url }) => (url ? [url] : []));
  const path = (url = '') => new URL(url, bench.origin).pathname;
  const browser = await openBrowser();
  const [all, ceilings]: [Times[], Times[]] = [[], []];
  try {
    for (let round = 0; round < clickRounds; round += 1) {
      await rewind(bench, tracks);
      all.push(await ours(browser, bench, path(urls[1])));
      ceilings.push(await bare(browser, bench, urls));
    }
  } finally {
    await browser.close();
  }
  return ['click to audio, cold', 'click to audio, warm', 'next track, preloaded'].map((what, index) => ({
    what,
    unit: 'ms',
    ours: all.map((times) => times[index] ?? Number.NaN),
    ceiling: ceilings.map((times) => times[index] ?? Number.NaN),
  }));
}
