import type { Page } from '@playwright/test';
import { signInAndCache, test, waitUntilCached } from '../../support/app/installed-app.ts';
import { getFooter, getNewest } from '../../support/app/player.ts';
import { createUser, submitSignIn } from '../../support/app/users.ts';
import {
  countInterruptions,
  expectPlaying,
  getPlaybackStart,
  recordUnload,
} from '../../support/audio/audio.ts';
import { expect } from '../../support/test.ts';

test.use({ serviceWorkers: 'allow' });
// The service worker starts caching some time after the page was opened.
test.describe.configure({ timeout: 240_000 });

/** Checks for a new version, as the app does every hour. */
const checkForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));

test('[PLAY-05] a new version is offered during playback and keeps the position', async ({
  page,
  testProxy,
}) => {
  await signInAndCache(page, testProxy);
  await getNewest(page).click();
  await expectPlaying(page);
  await countInterruptions(page);
  const readUnload = await recordUnload(page);
  testProxy.updateApp();
  await checkForUpdate(page);
  const offer = page.getByRole('listitem').filter({ hasText: 'A new version of Escucho is ready.' });
  const reloaded = page.waitForEvent('load', { timeout: 120_000 });
  // The offer is shown for five seconds: a click would first wait until the button does not move.
  await offer.getByRole('button', { name: 'Update', exact: true }).press('Enter');
  await reloaded;
  const { position, interruptions } = await readUnload();
  expect(interruptions, 'it plays on').toBe(0);
  await getFooter(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expectPlaying(page);
  expect(Math.abs((await getPlaybackStart(page)) - position)).toBeLessThan(2);
});

test('[CAT-09] sign-in is prerendered on repeat visits, with the parameters of its address', async ({
  page,
  testProxy,
}) => {
  await page.goto(`${testProxy.origin}/auth/sign-in`);
  await waitUntilCached(page);
  const response = await page.goto(`${testProxy.origin}/auth/sign-in?returnTo=%2Flibrary`);
  expect(response?.fromServiceWorker()).toBe(true);
  expect(await response?.text()).toContain('data-page="/auth/sign-in"');
  await submitSignIn(page, await createUser(page.request));
  await expect(page.getByRole('heading', { name: 'Your library' })).toBeVisible();
});

test('audio and API requests do not wait for the service worker', async ({ page, testProxy }) => {
  await signInAndCache(page, testProxy);
  await page.reload();
  await getNewest(page).click();
  await expectPlaying(page);
  /** Returns where the browser sent the page's requests: to the network, or to the worker. */
  const getReceivers = (path: RegExp) =>
    page.evaluate((pattern) => {
      const entries = performance.getEntriesByType('resource').map((entry) => entry.toJSON());
      // Nothing says who received a request that was aborted, such as that of a list which is requested again.
      const matching = entries.filter(
        ({ name, responseStatus }) => responseStatus > 0 && new RegExp(pattern).test(new URL(name).pathname),
      );
      return [...new Set(matching.map((entry) => entry.workerFinalSourceType || 'worker'))];
    }, path.source);
  expect(await getReceivers(/^\/assets\/.+\.js$/)).toEqual(['worker']);
  expect(await getReceivers(/^\/api\//)).toEqual(['network']);
  // The browser records a request for audio when its response ends, after playback has started.
  await expect.poll(() => getReceivers(/^\/media\/.+\.mp3$/)).toEqual(['network']);
});

test('[CAT-09] the web app manifest has a name, existing icons and a start page', async ({
  page,
  request,
}) => {
  await page.goto('/auth/sign-in');
  const manifestAddress = await page.locator('link[rel=manifest]').getAttribute('href');
  const response = await request.get(manifestAddress ?? '');
  const manifest: { name: string; start_url: string; display: string; icons: { src: string }[] } =
    await response.json();
  expect(manifest).toMatchObject({ name: 'Escucho', start_url: '/discover', display: 'standalone' });
  for (const { src } of manifest.icons) {
    const icon = await request.get(src);
    expect(icon.headers()['content-type'], src).toMatch(/^image\//);
  }
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});
