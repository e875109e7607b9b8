import { answered, noNetwork } from '../support/noise.ts';
import { newest, shelf } from '../support/player.ts';
import { signedIn } from '../support/readers.ts';
import { expectSounding } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

test.use({ storageState: signedIn.demo });

test('[CAT-09] Discover shows an error offline and loads on retry once online', async ({
  page,
  context,
  noise,
}) => {
  // Discover's code may not be there yet.
  noise.allow(noNetwork, /dynamically imported module/);
  await page.goto('/settings/profile');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline. What you have open keeps working.')).toBeVisible();
  await page.getByRole('link', { name: 'Discover', exact: true }).click();
  const again = page.getByRole('main').getByRole('button', { name: /Try again|Load again/ });
  await expect(again).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Navigation' })).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('You are offline. What you have open keeps working.')).toBeHidden();
  // What failed may be asked for again by the network's return alone.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1000 });
    await expect(shelf(page, 'Latest articles')).toBeVisible({ timeout: 5000 });
  }).toPass();
});

test('[CAT-09] a failing API is reported, and a retry loads Discover', async ({ page, noise }) => {
  noise.allow(answered(503));
  await page.route('**/api/catalogue/discover*', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'later' } } }),
  );
  await page.goto('/discover');
  await expect(page.getByText('Discover did not load')).toBeVisible({ timeout: 20_000 });
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(shelf(page, 'Latest articles')).toBeVisible();
});

test('[PLAY-06] [CAT-09] buffered audio plays on offline', async ({ page, context, noise }) => {
  noise.allow(noNetwork);
  await page.goto('/discover');
  await newest(page).click();
  await expectSounding(page);
  await context.setOffline(true);
  await expectSounding(page);
  await expect(shelf(page, 'Latest articles')).toBeVisible();
});
