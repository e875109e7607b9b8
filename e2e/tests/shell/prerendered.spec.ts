import type { Page } from '@playwright/test';
import { createUser, storageStates } from '../../support/app/users.ts';
import { expect, test } from '../../support/test.ts';

/** Holds back the app's code, as a slow network does. Returns a function that lets it load. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const open = (page: Page, url: string) => page.goto(url, { waitUntil: 'commit' });

test('[SHELL-08] a page is sent in the chosen language, and then stays as it is', async ({ page }) => {
  await page.goto('/auth/sign-in');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Te damos la bienvenida' })).toBeVisible();

  const loadScripts = await holdScripts(page);
  await open(page, '/auth/sign-in?returnTo=%2Flibrary');
  const heading = page.getByRole('heading', { level: 1, name: 'Te damos la bienvenida' });
  await expect(heading).toBeVisible();
  await expect(page).toHaveTitle('Te damos la bienvenida · Escucho');
  const sent = await heading.elementHandle();
  loadScripts();
  const signUp = page.getByRole('link', { name: 'Crea una cuenta' });
  await expect(signUp).toHaveAttribute('href', '/auth/sign-up?returnTo=%2Flibrary');
  expect(await heading.evaluate((element, before) => element === before, sent)).toBe(true);
});

test('[AUTH-01] a form filled in and submitted before the code has loaded signs in', async ({ page }) => {
  const { email, password } = await createUser(page.request);
  const loadScripts = await holdScripts(page);
  const urls: string[] = [];
  page.on('request', (request) => urls.push(`${request.method()} ${request.url()}`));
  await open(page, '/auth/sign-in?returnTo=%2Flibrary');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/auth/sign-in?returnTo=%2Flibrary');
  loadScripts();
  await expect(page).toHaveURL('/library', { timeout: 60_000 });
  expect(urls.filter((url) => url.includes(password) || /^POST https?:\/\/[^/]+\/auth\//.test(url))).toEqual(
    [],
  );
});

test('a click before the code has loaded takes effect once it has', async ({ page }) => {
  const loadScripts = await holdScripts(page);
  await open(page, '/auth/sign-in');
  await page.getByRole('button', { name: 'Language' }).click();
  loadScripts();
  await expect(page.getByRole('menuitemradio', { name: 'Español' })).toBeVisible();
});

test.describe('signed in', () => {
  test.use({ storageState: storageStates.demo });

  test('the document has the shell and the skeleton of the page', async ({ page }) => {
    const loadScripts = await holdScripts(page);
    await open(page, '/library');
    const skeleton = page.locator('#root > [inert]');
    await expect(skeleton.getByText('Your playlists')).toBeVisible();
    await expect(skeleton.locator('[data-skeleton="/discover"]')).toBeHidden();
    loadScripts();
    await expect(page.getByRole('heading', { level: 1, name: 'Your library' })).toBeVisible();
    await expect(skeleton).toHaveCount(0);
  });

  test('[ROUTE-03] the sign-in page never shows its form', async ({ page }) => {
    const loadScripts = await holdScripts(page);
    await open(page, '/auth/sign-in');
    await expect(page.locator('main')).toBeAttached();
    await expect(page.getByLabel('Password', { exact: true })).toBeHidden();
    loadScripts();
    await expect(page).toHaveURL('/discover');
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  });
});
