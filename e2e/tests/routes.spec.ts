import type { Locator } from '@playwright/test';
import { answered } from '../support/noise.ts';
import { shelf } from '../support/player.ts';
import { demo, fillSignIn, signedIn } from '../support/readers.ts';
import { expect, test } from '../support/story.ts';

/** Pictures with where they stand and how large they are, in whole pixels. */
const placesOf = (pictures: Locator): Promise<string[]> =>
  pictures.evaluateAll((found) =>
    found.map((picture) => {
      const { left, top, width } = picture.getBoundingClientRect();
      return [picture.getAttribute('src')?.split('?')[0], left, top, width]
        .map((one) => (typeof one === 'number' ? Math.round(one) : one))
        .join(' ');
    }),
  );

test.describe('signed out', () => {
  test('[ROUTE-03] the guard redirects to sign-in and back to the requested page', async ({ page }) => {
    await page.goto('/settings/subscription?from=mail#plan');
    await expect(page).toHaveURL(/\/auth\/sign-in\?returnTo=/);
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/settings/subscription?from=mail#plan');
    await fillSignIn(page, demo);
    await expect(page).toHaveURL('/settings/subscription?from=mail#plan');
  });

  for (const [what, asked] of [
    ['another host without a scheme', '//evil.example'],
    ['another host behind a backslash', '/\\evil.example'],
    ['an absolute address', 'https://evil.example/discover'],
    ['a script', 'javascript:alert(document.domain)'],
    ['a host behind a tab', '/\t/evil.example'],
    ['a host behind dots', '/..//evil.example'],
  ] as const) {
    test(`[ROUTE-03] after sign-in, ${what} is not followed`, async ({ page }) => {
      await page.goto(`/auth/sign-in?returnTo=${encodeURIComponent(asked)}`);
      await fillSignIn(page, demo);
      await expect(page).toHaveURL('/discover');
      await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
    });
  }

  test('[SHELL-11] /auth/nowhere shows the not-found page with a link home', async ({ page }) => {
    await page.goto('/auth/nowhere');
    await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to Discover' }).click();
    await expect(page).toHaveURL('/auth/sign-in?returnTo=%2Fdiscover');
  });

  test('[ROUTE-01] / and /auth redirect to sign-in', async ({ page }) => {
    await page.goto('/auth');
    await expect(page).toHaveURL('/auth/sign-in');
    await page.goto('/');
    await expect(page).toHaveURL(/\/auth\/sign-in/);
  });
});

test.describe('signed in', () => {
  test.use({ storageState: signedIn.demo });

  for (const [asked, shown] of [
    ['/', '/discover'],
    ['/auth', '/discover'],
    ['/auth/sign-in', '/discover'],
    ['/auth/sign-up', '/discover'],
    ['/auth/sign-in?returnTo=//evil.example', '/discover'],
    ['/settings', '/settings/profile'],
  ] as const) {
    test(`[ROUTE-01] ${asked} redirects to ${shown}`, async ({ page }) => {
      await page.goto(asked);
      await expect(page).toHaveURL(shown);
    });
  }

  test('[AUTH-04] /Discover, as the specification spells it, shows Discover', async ({ page }) => {
    await page.goto('/Discover');
    await expect(page.getByRole('region', { name: 'Latest articles', exact: true })).toBeVisible();
  });

  for (const path of [
    '/discover',
    '/articles/latest',
    '/articles/topic/travel',
    '/articles/search',
    '/articles/search/ferry',
    '/library',
    '/visual-book',
    '/settings/profile',
    '/settings/subscription',
  ]) {
    test(`[ROUTE-02] ${path} is a page with a heading`, async ({ page }) => {
      await page.goto(path);
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await expect(page.getByText('There is nothing at this address')).toBeHidden();
    });
  }

  for (const [path, ids] of [
    ['/nowhere', '[SHELL-11]'],
    ['/discover/more', '[SHELL-11]'],
    ['/settings/nothing', '[SHELL-11]'],
    // Terms are for operators' readers.
    ['/tyc', '[SHELL-11] [EXT-07]'],
    ['/playlist/00000000-0000-4000-8000-000000000000', '[SHELL-11] [LIST-07]'],
  ] as const) {
    test(`${ids} ${path} shows the not-found page with a link home`, async ({ page, noise }) => {
      if (path.startsWith('/playlist')) noise.allow(answered(404));
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible();
      await page.getByRole('link', { name: 'Go to Discover' }).click();
      await expect(page).toHaveURL('/discover');
    });
  }

  for (const width of [390, 820, 1440])
    test(`[CAT-02] a repeat visit shows the cached covers at once without shift (${width} px)`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/discover');
      await expect(shelf(page, 'Latest articles')).toBeVisible();

      let letIn = () => {};
      const held = new Promise<void>((resolve) => {
        letIn = resolve;
      });
      await page.route('**/assets/index-*.js', async (route) => {
        await held;
        await route.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      const early = page.locator('#discover-preview img');
      await expect(early.first()).toBeVisible();
      // With the letters that titles are broken by.
      await page.evaluate(async () => void (await document.fonts.ready));
      const seen = await placesOf(early);
      expect(seen.length).toBeGreaterThan(3);

      letIn();
      const main = page.getByRole('main');
      await expect(shelf(page, 'Latest articles')).toBeVisible();
      await expect
        .poll(async () => (await placesOf(main.locator('img'))).filter((place) => seen.includes(place)))
        .toEqual(seen);
    });
});
