import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { ProgressEntry } from '../../../packages/contracts/src/index.ts';
import {
  getDiscoverSection,
  getFooter,
  getNewest,
  getPlayButtons,
  getPositionSlider,
  getTitle,
  readDuration,
} from '../../support/app/player.ts';
import { createUser, demoUser, discardProgress, signIn, submitSignIn } from '../../support/app/users.ts';
import {
  countInterruptions,
  expectPaused,
  expectPlaying,
  expectPositionPast,
  getAudioState,
  getPlaybackStart,
} from '../../support/audio/audio.ts';
import { networkError, statusError } from '../../support/console-errors.ts';
import { PRODUCT_FIXTURE_TIMEOUT_MS } from '../../support/product.ts';
import { type TestProxy, withProxiedProduct, withProxy } from '../../support/proxy.ts';
import { test as base, expect } from '../../support/test.ts';

/** Bytes per second; four times the bit rate of the demo, so that a far position is not buffered. */
const MOBILE_RATE = 24_000;
/** Bytes per second; twice the bit rate, so that the buffer is short. */
const SCARCE_RATE = 12_000;
const URL_LIFETIME_SECONDS = 8;

const test = base.extend<{ testProxy: TestProxy; expiringProxy: TestProxy }>({
  testProxy: ({ baseURL, page }, use) => withProxy(page, baseURL ?? '', use),
  expiringProxy: [
    ({ page }, use) =>
      withProxiedProduct(page, use, { env: { AUDIO_LINK_SECONDS: String(URL_LIFETIME_SECONDS) } }),
    { timeout: PRODUCT_FIXTURE_TIMEOUT_MS },
  ],
});

/** Signs in through a proxy and plays the second of the latest articles. */
async function playThroughProxy(page: Page, { origin }: TestProxy) {
  await discardProgress(page.context());
  await page.goto(`${origin}/auth/sign-in`);
  await submitSignIn(page, demoUser);
  const tracks = getPlayButtons(getDiscoverSection(page, 'Latest articles'));
  const nextTitle = await getTitle(tracks.nth(2));
  await tracks.nth(1).click();
  await expectPlaying(page);
  const slider = getPositionSlider(getFooter(page));
  const duration = await readDuration(slider);
  return { nextTitle, duration, seek: (position: number) => slider.fill(String(Math.floor(position))) };
}

const getPath = (address: string) => new URL(address, 'http://localhost').pathname;

test('[PLAY-06] the start of the next track is prefetched before the end', async ({ page, testProxy }) => {
  const { nextTitle, duration, seek } = await playThroughProxy(page, testProxy);
  // The listeners must be added before the seek: on a busy machine the track may end soon after it.
  const gap = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const element = window.mediaElement;
        let ended = 0;
        element?.addEventListener('ended', () => {
          ended = performance.now();
        });
        element?.addEventListener('playing', () => ended > 0 && resolve(performance.now() - ended));
      }),
  );
  await seek(duration - 12);
  await expectPositionPast(page, duration - 13);
  const findPrefetches = () => testProxy.requests.filter(({ range }) => range === 'bytes=0-262143');
  await expect.poll(() => findPrefetches().length).toBe(1);
  const before = testProxy.requests.length;
  await expect(getFooter(page)).toContainText(nextTitle);
  await expectPlaying(page);
  test.info().annotations.push({ type: 'gap', description: `${Math.round(await gap)} ms` });

  const path = getPath((await getAudioState(page)).source);
  expect(findPrefetches().map((requests) => getPath(requests.path))).toEqual([path]);
  const since = testProxy.requests.slice(before);
  expect(since.filter((requests) => requests.path.startsWith('/api/listening/audio/'))).toEqual([]);
  const ranges = since.filter((requests) => getPath(requests.path) === path).map(({ range }) => range);
  expect(ranges.filter((range) => !range?.startsWith('bytes=262144-'))).toEqual([]);
});

test('[PLAY-04] an expired audio URL is replaced during playback without a jump', async ({
  page,
  expiringProxy: testProxy,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(403));
  testProxy.limitMediaRate(MOBILE_RATE);
  const { seek } = await playThroughProxy(page, testProxy);
  const countUrlRequests = () =>
    testProxy.requests.filter(({ path }) => path.startsWith('/api/listening/audio/')).length;
  await expectPositionPast(page, URL_LIFETIME_SECONDS + 2);
  const before = countUrlRequests();
  await seek(100);
  await expectPositionPast(page, 100);
  await expectPlaying(page);
  expect(await getPlaybackStart(page)).toBeCloseTo(100, 0);
  expect(countUrlRequests()).toBe(before + 1);
  await expect(getFooter(page).getByRole('alert')).toHaveCount(0);

  // A response in progress is completed although its URL has expired.
  const getInterruptions = await countInterruptions(page);
  await expectPositionPast(page, 108 + URL_LIFETIME_SECONDS);
  expect(await getInterruptions()).toBe(0);
});

/** Waits until the audio has stalled and is reloaded. Returns the last position, in seconds. */
const waitForReload = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const element = window.mediaElement;
        let position = Number.NaN;
        element?.addEventListener('timeupdate', () => {
          position = element.currentTime;
        });
        element?.addEventListener('emptied', () => resolve(position));
      }),
  );

test('[PLAY-05] playback recovers by itself from a dead connection at its position', async ({
  page,
  testProxy,
}) => {
  testProxy.limitMediaRate(SCARCE_RATE);
  await playThroughProxy(page, testProxy);
  await expectPositionPast(page, 3);
  const reloaded = waitForReload(page);
  testProxy.stallMedia();
  const stoppedAt = await reloaded;
  await expectPlaying(page);
  await expectPositionPast(page, stoppedAt + 1);
  expect(Math.abs((await getPlaybackStart(page)) - stoppedAt)).toBeLessThan(2);
  await expect(getFooter(page).getByRole('alert')).toHaveCount(0);
});

test('[PLAY-06] a load that stalls is restarted; a second stall shows an error and retry', async ({
  page,
  testProxy,
  consoleErrors,
}) => {
  consoleErrors.allow(/does not play: network/);
  const { nextTitle } = await playThroughProxy(page, testProxy);
  testProxy.hangAudioRequests(1);
  await getFooter(page).getByRole('button', { name: 'Next' }).click();
  await expect(getFooter(page)).toContainText(nextTitle);
  await expectPlaying(page);

  testProxy.hangAudioRequests(2);
  await getFooter(page).getByRole('button', { name: 'Next' }).click();
  const alert = getFooter(page).getByRole('alert');
  await expect(alert).toBeVisible();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expectPlaying(page);
  await expect(alert).toHaveCount(0);
});

test('[PLAY-05] playback resumes by itself when the network returns', async ({
  page,
  context,
  testProxy,
  consoleErrors,
}) => {
  consoleErrors.allow(networkError, /does not play: network/);
  testProxy.limitMediaRate(SCARCE_RATE);
  await playThroughProxy(page, testProxy);
  await expectPositionPast(page, 3);
  testProxy.stallMedia();
  await context.setOffline(true);
  await expect(getFooter(page).getByRole('alert')).toBeVisible({ timeout: 60_000 });
  const { position: stoppedAt } = await getAudioState(page);
  await context.setOffline(false);
  await expectPositionPast(page, stoppedAt + 1);
  expect(Math.abs((await getPlaybackStart(page)) - stoppedAt)).toBeLessThan(2);
});

/**
 * Moves the page's clock forward by five minutes, as if the machine had been suspended.
 *
 * @param expected - The sequence number of the last progress entry. If the page has saved another one, nothing happens.
 * @returns The position of the audio, in seconds, or null if nothing happened.
 */
const simulateSleep = (page: Page, lastSequence?: number): Promise<number | null> =>
  page.evaluate((expected) => {
    const outboxKey = Object.keys(localStorage).find((key) => key.startsWith('listening-outbox-')) ?? '';
    const { sequence } = JSON.parse(localStorage.getItem(outboxKey) ?? '{}');
    if (expected !== undefined && sequence !== expected) return null;
    const { now } = Date;
    Date.now = () => now() + 300_000;
    window.Date = new Proxy(Date, {
      construct: (real, given) => Reflect.construct(real, given.length > 0 ? given : [Date.now()]),
    });
    return window.mediaElement?.currentTime ?? null;
  }, lastSequence);

/** Waits until the page has saved its progress during playback. Returns the request. */
async function waitForTick(page: Page) {
  const tick = await page.waitForRequest(
    (request) => request.url().includes('/listening/progress') && request.postDataJSON().cause === 'tick',
  );
  await (await tick.response())?.finished();
  return tick;
}

test.describe('a machine that was suspended during playback', () => {
  test('[PLAY-05] resumes at its position over a new connection', async ({ page, testProxy }) => {
    await playThroughProxy(page, testProxy);
    await expectPositionPast(page, 3);
    const countUrlRequests = () =>
      testProxy.requests.filter(({ path }) => path.startsWith('/api/listening/audio/')).length;
    const before = countUrlRequests();
    const stoppedAt = (await simulateSleep(page)) ?? Number.NaN;
    const since = performance.now();
    await expect.poll(countUrlRequests).toBe(before + 1);
    const elapsed = (performance.now() - since) / 1000;
    await expectPositionPast(page, stoppedAt + elapsed + 1);
    expect(await getPlaybackStart(page)).toBeGreaterThan(stoppedAt - 1);
    expect(await getPlaybackStart(page)).toBeLessThan(stoppedAt + elapsed + 1);
  });

  test('[PLAY-05] stays paused at the position of another device, with undo', async ({ page }) => {
    const user = await createUser(page.request);
    await signIn(page, user);
    await getNewest(page).click();
    await expectPlaying(page);
    // A player that is still at the start follows the phone without a sleep.
    await expectPositionPast(page, 5);
    const remoteProgress = { device: randomUUID(), position: 70, cause: 'pause', deviceKind: 'phone' };
    // Until the phone's entry is the last one: on a busy machine the page may save its own position once more.
    let positionAtSleep: number | null = null;
    for (let sequence = 1; positionAtSleep === null; sequence += 1) {
      const tick = await waitForTick(page);
      const entry: ProgressEntry = tick.postDataJSON();
      const response = await page.request.post(tick.url(), {
        headers: { authorization: (await tick.allHeaders()).authorization ?? '' },
        data: { track: entry.track, sequence, ...remoteProgress },
      });
      expect(response.ok()).toBe(true);
      positionAtSleep = await simulateSleep(page, entry.sequence);
    }
    await expect(page.getByText(/^Continuing at 1:10, where you were on a phone\./)).toBeVisible();
    await expectPaused(page);
    // The audio is there once it is loaded over the new connection.
    await expect.poll(async () => (await getAudioState(page)).position).toBeCloseTo(70, 0);
    await page.getByRole('button', { name: /^Back to 0:/ }).click();
    await getFooter(page).getByRole('button', { name: 'Play', exact: true }).click();
    await expectPlaying(page);
    expect(await getPlaybackStart(page)).toBeLessThan(positionAtSleep + 5);
  });
});
