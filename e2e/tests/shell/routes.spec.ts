import type { Locator } from '@playwright/test';
import { getDiscoverSection } from '../../support/app/player.ts';
import { demoUser, storageStates, submitSignIn } from '../../support/app/users.ts';
import { statusError } from '../../support/console-errors.ts';
import { test } from '../../support/shared-context.ts';
import { expect } from '../../support/test.ts';

/** Returns the source, position and width of images, in whole pixels. */
const getImageBoxes = (images: Locator): Promise<string[]> =>
  images.evaluateAll((elements) =>
    elements.map((image) => {
      const { left, top, width } = image.getBoundingClientRect();
      return [image.getAttribute('src')?.split('?')[0], left, top, width]
        .map((value) => (typeof value === 'number' ? Math.round(value) : value))
        .join(' ');
    }),
  );

test.describe('signed out', () => {
  test('[ROUTE-03] the guard redirects to sign-in and back to the requested page', async ({ page }) => {
    await page.goto('/settings/subscription?from=mail#plan');
    await expect(page).toHaveURL(/\/auth\/sign-in\?returnTo=/);
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/settings/subscription?from=mail#plan');
    await submitSignIn(page, demoUser);
    await expect(page).toHaveURL('/settings/subscription?from=mail#plan');
  });

  for (const [target, path] of [
    ['another host without a scheme', '//evil.example'],
    ['another host behind a backslash', '/\\evil.example'],
    ['an absolute address', 'https://evil.example/discover'],
    ['a script', 'javascript:alert(document.domain)'],
    ['a host behind a tab', '/\t/evil.example'],
    ['a host behind dots', '/..//evil.example'],
  ] as const) {
    test(`[ROUTE-03] after sign-in, ${target} is not followed`, async ({ page }) => {
      await page.goto(`/auth/sign-in?returnTo=${encodeURIComponent(path)}`);
      await submitSignIn(page, demoUser);
      await expect(page).toHaveURL('/discover');
      await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
    });
  }

  test('[SHELL-11] /auth/nowhere shows the not-found page with a link home', async ({
    page,
    consoleErrors,
  }) => {
    consoleErrors.allow(statusError(404));
    expect((await page.goto('/auth/nowhere'))?.status()).toBe(404);
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
  test.use({ storageState: storageStates.demo });

  for (const [path, target] of [
    ['/', '/discover'],
    ['/auth', '/discover'],
    ['/auth/sign-in', '/discover'],
    ['/auth/sign-up', '/discover'],
    ['/auth/sign-in?returnTo=//evil.example', '/discover'],
    ['/settings', '/settings/profile'],
  ] as const) {
    test(`[ROUTE-01] ${path} redirects to ${target}`, async ({ page }) => {
      await page.goto(path);
      await expect(page).toHaveURL(target);
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
    // Only operators' users have terms.
    ['/tyc', '[SHELL-11] [EXT-07]'],
    ['/playlist/00000000-0000-4000-8000-000000000000', '[SHELL-11] [LIST-07]'],
  ] as const) {
    test(`${ids} ${path} shows the not-found page with a link home`, async ({ page, consoleErrors }) => {
      if (path !== '/tyc') consoleErrors.allow(statusError(404));
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
      await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();

      let releaseScript = () => {};
      const scriptReleased = new Promise<void>((resolve) => {
        releaseScript = resolve;
      });
      await page.route('**/assets/index-*.js', async (route) => {
        await scriptReleased;
        await route.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      const preview = page.locator('#discover-preview img');
      await expect(preview.first()).toBeVisible();
      // Line breaks of titles depend on the font.
      await page.evaluate(async () => void (await document.fonts.ready));
      const previewBoxes = await getImageBoxes(preview);
      expect(previewBoxes.length).toBeGreaterThan(3);

      releaseScript();
      const main = page.getByRole('main');
      await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
      await expect
        .poll(async () =>
          (await getImageBoxes(main.locator('img'))).filter((box) => previewBoxes.includes(box)),
        )
        .toEqual(previewBoxes);
    });
});
