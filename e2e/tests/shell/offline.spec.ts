import { getDiscoverSection, getNewest } from '../../support/app/player.ts';
import { storageStates } from '../../support/app/users.ts';
import { expectPlaying } from '../../support/audio/audio.ts';
import { networkError, statusError } from '../../support/console-errors.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.demo });

test('[CAT-09] Discover shows an error offline and loads on retry once online', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(networkError);
  await page.goto('/settings/profile');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline. What you have open keeps working.')).toBeVisible();
  await page.getByRole('link', { name: 'Discover', exact: true }).click();
  const retryButton = page.getByRole('main').getByRole('button', { name: /Try again|Load again/ });
  await expect(retryButton).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Navigation' })).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('You are offline. What you have open keeps working.')).toBeHidden();
  // Queries may also be retried by the `online` event.
  await expect(async () => {
    if (await retryButton.isVisible()) await retryButton.click({ timeout: 1000 });
    await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible({ timeout: 5000 });
  }).toPass();
});

test('[CAT-09] the sidebar is below the offline banner', async ({ page, context, consoleErrors }) => {
  consoleErrors.allow(networkError);
  await page.goto('/discover');
  await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
  await context.setOffline(true);
  const banner = page.getByText('You are offline. What you have open keeps working.');
  await expect(banner).toBeVisible();
  await page.evaluate(() => scrollTo(0, 150));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(150);
  const link = page.getByRole('link', { name: 'Discover', exact: true });
  const getTop = () => link.evaluate((element) => element.getBoundingClientRect().top);
  const bottom = await banner.evaluate((element) => element.getBoundingClientRect().bottom);
  await expect.poll(getTop).toBeGreaterThanOrEqual(bottom);
});

test('[CAT-09] a failing API is reported, and a retry loads Discover', async ({ page, consoleErrors }) => {
  consoleErrors.allow(statusError(503));
  await page.route('**/api/catalogue/discover*', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'later' } } }),
  );
  await page.goto('/discover');
  await expect(page.getByText('Discover did not load')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
});

test('[PLAY-06] [CAT-09] buffered audio plays on offline', async ({ page, context, consoleErrors }) => {
  consoleErrors.allow(networkError);
  await page.goto('/discover');
  await getNewest(page).click();
  await expectPlaying(page);
  await context.setOffline(true);
  await expectPlaying(page);
  await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
});
