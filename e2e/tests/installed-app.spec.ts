import type { Page } from '@playwright/test';
import { type Front, lendFront } from '../support/front.ts';
import { noNetwork } from '../support/noise.ts';
import { footer, newest, shelf } from '../support/player.ts';
import { fillSignIn, newReader } from '../support/readers.ts';
import { begunAt, expectSounding, pausesOf, placeWhenLeft } from '../support/sound.ts';
import { expect, test as story } from '../support/story.ts';

/** The product behind an address that a story can take away and update; the app is kept there, as on a reader's machine. */
const test = story.extend<{ front: Front }>({
  front: ({ baseURL, page }, use) => lendFront(page, baseURL ?? '', use),
});
test.use({ serviceWorkers: 'allow' });
// The app is kept some time after it was opened.
test.describe.configure({ timeout: 240_000 });

/** Signs in and waits until the app is kept: that begins once the page has rested for ten seconds. */
async function keep(page: Page, { origin }: Front): Promise<void> {
  await page.goto(`${origin}/auth/sign-in`);
  await fillSignIn(page, await newReader(page.request));
  await expect(shelf(page, 'Latest articles')).toBeVisible();
  const kept = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state);
  await expect.poll(kept, { timeout: 90_000 }).toBe('activated');
}

/** The worker looks whether there is a new version, as it does every hour. */
const look = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));

test('[CAT-09] the app opens offline with cached content and a notice', async ({
  page,
  context,
  front,
  noise,
}) => {
  noise.allow(
    noNetwork,
    /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING)|Failed to fetch|FetchEvent/,
  );
  await keep(page, front);
  await front.vanish();
  await context.setOffline(true);
  await page.goto(`${front.origin}/discover`);
  await expect(shelf(page, 'Latest articles')).toBeVisible();
  await expect(page.getByText('You are offline. What you have open keeps working.')).toBeVisible();
  // A page that was never opened is there as well, and says what it could not get.
  await page.goto(`${front.origin}/library`);
  await expect(page.getByRole('heading', { level: 1, name: 'Your library' })).toBeVisible();
});

test('[PLAY-05] a new version is offered during playback and keeps the position', async ({ page, front }) => {
  await keep(page, front);
  await newest(page).click();
  await expectSounding(page);
  const pauses = await pausesOf(page);
  const placeLeft = await placeWhenLeft(page);
  front.update();
  await look(page);
  // At once: what is offered is said for five seconds.
  const offer = page.getByRole('listitem').filter({ hasText: 'A new version of Escucho is ready.' });
  const update = offer.getByRole('button', { name: 'Update', exact: true });
  await expect(update).toBeVisible();
  expect(await pauses(), 'it plays on').toBe(0);
  const reloaded = page.waitForEvent('load');
  await update.click();
  await reloaded;
  await footer(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expectSounding(page);
  expect(Math.abs((await begunAt(page)) - (await placeLeft()))).toBeLessThan(2);
});

test('[CAT-09] the web app manifest has a name, existing icons and a start page', async ({
  page,
  request,
}) => {
  await page.goto('/auth/sign-in');
  const manifestAddress = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await request.get(manifestAddress ?? '');
  const manifest: { name: string; start_url: string; display: string; icons: { src: string }[] } =
    await answer.json();
  expect(manifest).toMatchObject({ name: 'Escucho', start_url: '/discover', display: 'standalone' });
  for (const { src } of manifest.icons) {
    const icon = await request.get(src);
    expect(icon.headers()['content-type'], src).toMatch(/^image\//);
  }
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});
