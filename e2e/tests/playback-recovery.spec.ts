import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { ProgressEntry } from '../../packages/contracts/src/index.ts';
import { type Front, lendFront, lendProductBehindFront } from '../support/front.ts';
import { answered, noNetwork } from '../support/noise.ts';
import { footer, newest, playButtons, shelf, titleOf } from '../support/player.ts';
import { startPatience } from '../support/product.ts';
import { demo, fillSignIn, keepPlaces, newReader, signIn } from '../support/readers.ts';
import { begunAt, expectPast, expectSilence, expectSounding, pausesOf, soundOf } from '../support/sound.ts';
import { expect, test as story } from '../support/story.ts';

/** Four times as fast as the demo's speech is spoken: what is far ahead is not there yet. */
const mobilePace = 24_000;
/** Twice as fast: what has come is soon heard. */
const scarcePace = 12_000;
const linkSeconds = 8;

const test = story.extend<{ front: Front; fleeting: Front }>({
  front: ({ baseURL, page }, use) => lendFront(page, baseURL ?? '', use),
  fleeting: [
    ({ page }, use) =>
      lendProductBehindFront(page, use, { settings: { AUDIO_LINK_SECONDS: String(linkSeconds) } }),
    { timeout: startPatience },
  ],
});

/** Signs in at a front and plays the second of Latest. */
async function playBehind(page: Page, { origin }: Front) {
  await keepPlaces(page.context());
  await page.goto(`${origin}/auth/sign-in`);
  await fillSignIn(page, demo);
  const tracks = playButtons(shelf(page, 'Latest articles'));
  const following = await titleOf(tracks.nth(2));
  await tracks.nth(1).click();
  await expectSounding(page);
  const slider = footer(page).getByRole('slider', { name: 'Position' });
  const duration = Number(await slider.getAttribute('max'));
  return { following, duration, seek: (position: number) => slider.fill(String(Math.floor(position))) };
}

const pathOf = (address: string) => new URL(address, 'http://localhost').pathname;

test('[PLAY-06] the start of the next track is prefetched before the end', async ({ page, front }) => {
  const { following, duration, seek } = await playBehind(page, front);
  // Listens from before on: on a busy machine the track may be over soon after the next one is let in.
  const gap = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const element = [...(window.heardElements ?? [])].at(-1);
        let ended = 0;
        element?.addEventListener('ended', () => {
          ended = performance.now();
        });
        element?.addEventListener('playing', () => ended > 0 && resolve(performance.now() - ended));
      }),
  );
  await seek(duration - 12);
  const beginnings = () => front.asked.filter(({ range }) => range === 'bytes=0-262143');
  await expect.poll(() => beginnings().length).toBe(1);
  const before = front.asked.length;
  await expect(footer(page)).toContainText(following, { timeout: 30_000 });
  await expectSounding(page);
  test.info().annotations.push({ type: 'gap', description: `${Math.round(await gap)} ms` });

  const path = pathOf((await soundOf(page)).source);
  expect(beginnings().map((asked) => pathOf(asked.path))).toEqual([path]);
  const since = front.asked.slice(before);
  expect(since.filter((asked) => asked.path.startsWith('/api/listening/audio/'))).toEqual([]);
  const parts = since.filter((asked) => pathOf(asked.path) === path).map(({ range }) => range);
  expect(parts.every((range) => range?.startsWith('bytes=262144-'))).toBe(true);
});

test('[PLAY-04] an expired audio URL is replaced during playback without a jump', async ({
  page,
  fleeting: front,
  noise,
}) => {
  test.setTimeout(180_000);
  noise.allow(answered(403));
  front.slowMedia(mobilePace);
  const { seek } = await playBehind(page, front);
  const grants = () => front.asked.filter(({ path }) => path.startsWith('/api/listening/audio/')).length;
  await expectPast(page, linkSeconds + 2);
  const before = grants();
  await seek(100);
  await expectPast(page, 100);
  await expectSounding(page);
  expect(await begunAt(page)).toBeCloseTo(100, 0);
  expect(grants()).toBe(before + 1);
  await expect(footer(page).getByRole('alert')).toHaveCount(0);

  // What is under way when an address ends comes to its end.
  const pauses = await pausesOf(page);
  await expectPast(page, 108 + linkSeconds);
  expect(await pauses()).toBe(0);
});

/** From now on: waits until the sound has run dry and is loaded anew. Out: how far it had been heard, in seconds. */
const nextDrought = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const element = [...(window.heardElements ?? [])].at(-1);
        let heard = Number.NaN;
        element?.addEventListener('timeupdate', () => {
          heard = element.currentTime;
        });
        element?.addEventListener('emptied', () => resolve(heard));
      }),
  );

test('[PLAY-05] playback recovers by itself from a dead connection at its position', async ({
  page,
  front,
}) => {
  test.setTimeout(120_000);
  front.slowMedia(scarcePace);
  await playBehind(page, front);
  await expectPast(page, 3);
  const drought = nextDrought(page);
  front.strandMedia();
  const left = await drought;
  await expectSounding(page);
  await expectPast(page, left + 1);
  expect(Math.abs((await begunAt(page)) - left)).toBeLessThan(2);
  await expect(footer(page).getByRole('alert')).toHaveCount(0);
});

test('[PLAY-06] a load that stalls is restarted; a second stall shows an error and retry', async ({
  page,
  front,
  noise,
}) => {
  noise.allow(/does not play: network/);
  const { following } = await playBehind(page, front);
  front.hangSound(1);
  await footer(page).getByRole('button', { name: 'Next' }).click();
  await expect(footer(page)).toContainText(following);
  await expectSounding(page);

  front.hangSound(2);
  await footer(page).getByRole('button', { name: 'Next' }).click();
  const fault = footer(page).getByRole('alert');
  await expect(fault).toBeVisible({ timeout: 30_000 });
  await fault.getByRole('button', { name: 'Try again' }).click();
  await expectSounding(page);
  await expect(fault).toHaveCount(0);
});

test('[PLAY-05] playback resumes by itself when the network returns', async ({
  page,
  context,
  front,
  noise,
}) => {
  test.setTimeout(120_000);
  // What the page fetches at its leisure may not have come yet.
  noise.allow(noNetwork, /does not play: network/, /Failed to fetch dynamically imported module/);
  front.slowMedia(scarcePace);
  await playBehind(page, front);
  await expectPast(page, 3);
  front.strandMedia();
  await context.setOffline(true);
  await expect(footer(page).getByRole('alert')).toBeVisible({ timeout: 60_000 });
  const { position: left } = await soundOf(page);
  await context.setOffline(false);
  await expectPast(page, left + 1);
  expect(Math.abs((await begunAt(page)) - left)).toBeLessThan(2);
});

/**
 * The page's clock goes on as after some minutes in which the machine slept. In: by its number, the last place it has told, if it
 * may not have told another. Out: where its sound is then, in seconds; nothing where it does not sleep for having told one.
 */
const sleepOver = (page: Page, lastTold?: number): Promise<number | null> =>
  page.evaluate((last) => {
    const own = Object.keys(localStorage).find((key) => key.startsWith('listening-outbox-')) ?? '';
    const { sequence } = JSON.parse(localStorage.getItem(own) ?? '{}');
    if (last !== undefined && sequence !== last) return null;
    const { now } = Date;
    Date.now = () => now() + 300_000;
    window.Date = new Proxy(Date, {
      construct: (real, given) => Reflect.construct(real, given.length > 0 ? given : [Date.now()]),
    });
    return [...(window.heardElements ?? [])].at(-1)?.currentTime ?? null;
  }, lastTold);

/** Waits until the page has told the server of listening on. Out: what it told. */
async function nextTick(page: Page) {
  const tick = await page.waitForRequest(
    (request) => request.url().includes('/listening/progress') && request.postDataJSON().cause === 'tick',
  );
  await (await tick.response())?.finished();
  return tick;
}

test.describe('a machine that was suspended during playback', () => {
  test('[PLAY-05] resumes at its position over a new connection', async ({ page, front }) => {
    await playBehind(page, front);
    await expectPast(page, 3);
    const grants = () => front.asked.filter(({ path }) => path.startsWith('/api/listening/audio/')).length;
    const before = grants();
    const left = (await sleepOver(page)) ?? Number.NaN;
    const since = performance.now();
    await expect.poll(grants).toBe(before + 1);
    const awoken = (performance.now() - since) / 1000;
    await expectPast(page, left + awoken + 1);
    expect(await begunAt(page)).toBeGreaterThan(left - 1);
    expect(await begunAt(page)).toBeLessThan(left + awoken + 1);
  });

  test('[PLAY-05] stays paused at the position of another device, with undo', async ({ page }) => {
    const reader = await newReader(page.request);
    await signIn(page, reader);
    await newest(page).click();
    await expectSounding(page);
    const elsewhere = { device: randomUUID(), position: 70, cause: 'pause', deviceKind: 'phone' };
    // Until the phone has had the last word: on a busy machine the page may tell of its own place once more.
    let asleepAt: number | null = null;
    for (let sequence = 1; asleepAt === null; sequence += 1) {
      const tick = await nextTick(page);
      const told: ProgressEntry = tick.postDataJSON();
      const said = await page.request.post(tick.url(), {
        headers: { authorization: (await tick.allHeaders()).authorization ?? '' },
        data: { track: told.track, sequence, ...elsewhere },
      });
      expect(said.ok()).toBe(true);
      asleepAt = await sleepOver(page, told.sequence);
    }
    await expect(page.getByText(/^Continuing at 1:10, where you were on a phone\./)).toBeVisible();
    await expectSilence(page);
    expect((await soundOf(page)).position).toBeCloseTo(70, 0);
    await page.getByRole('button', { name: /^Back to 0:/ }).click();
    await footer(page).getByRole('button', { name: 'Play', exact: true }).click();
    await expectSounding(page);
    expect(await begunAt(page)).toBeLessThan(asleepAt + 5);
  });
});
