import type { Page } from '@playwright/test';
import { getDiscoverSection, getFooter, getNewest } from '../../support/app/player.ts';
import { createUser, submitSignIn } from '../../support/app/users.ts';
import {
  countInterruptions,
  expectPlaying,
  getPlaybackStart,
  recordPositionOnUnload,
} from '../../support/audio/audio.ts';
import { networkError } from '../../support/console-errors.ts';
import { type TestProxy, withProxy } from '../../support/proxy.ts';
import { test as base, expect } from '../../support/test.ts';

/** A proxy whose origin can be taken offline and updated, with a service worker of its own. */
const test = base.extend<{ testProxy: TestProxy }>({
  testProxy: ({ baseURL, page }, use) => withProxy(page, baseURL ?? '', use),
});
test.use({ serviceWorkers: 'allow' });
// The service worker starts caching some time after the page was opened.
test.describe.configure({ timeout: 240_000 });

/** Signs in and waits until the service worker is active, which the page registers after ten idle seconds. */
async function signInAndCache(page: Page, { origin }: TestProxy): Promise<void> {
  await page.goto(`${origin}/auth/sign-in`);
  await submitSignIn(page, await createUser(page.request));
  await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
  const getWorkerState = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state);
  await expect.poll(getWorkerState, { timeout: 90_000 }).toBe('activated');
}

/** Checks for a new version, as the app does every hour. */
const checkForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));

test('[CAT-09] the app opens offline with cached content and a notice', async ({
  page,
  context,
  testProxy,
  consoleErrors,
}) => {
  consoleErrors.allow(
    networkError,
    /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING)|Failed to fetch|FetchEvent/,
  );
  await signInAndCache(page, testProxy);
  await testProxy.close();
  await context.setOffline(true);
  await page.goto(`${testProxy.origin}/discover`);
  await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
  await expect(page.getByText('You are offline. What you have open keeps working.')).toBeVisible();
  // A page that was never opened is cached as well, and shows what it could not load.
  await page.goto(`${testProxy.origin}/library`);
  await expect(page.getByRole('heading', { level: 1, name: 'Your library' })).toBeVisible();
});

test('[PLAY-05] a new version is offered during playback and keeps the position', async ({
  page,
  testProxy,
}) => {
  await signInAndCache(page, testProxy);
  await getNewest(page).click();
  await expectPlaying(page);
  const pauses = await countInterruptions(page);
  const readUnloadPosition = await recordPositionOnUnload(page);
  testProxy.updateApp();
  await checkForUpdate(page);
  // The offer is shown for five seconds.
  const offer = page.getByRole('listitem').filter({ hasText: 'A new version of Escucho is ready.' });
  const update = offer.getByRole('button', { name: 'Update', exact: true });
  await expect(update).toBeVisible();
  expect(await pauses(), 'it plays on').toBe(0);
  const reloaded = page.waitForEvent('load');
  await update.click();
  await reloaded;
  await getFooter(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expectPlaying(page);
  expect(Math.abs((await getPlaybackStart(page)) - (await readUnloadPosition()))).toBeLessThan(2);
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
