import { setTimeout } from 'node:timers/promises';
import { getNewest, getTitle } from '../../support/app/player.ts';
import { storageStates } from '../../support/app/users.ts';
import { expectPlaying } from '../../support/audio/audio.ts';
import { networkError, statusError } from '../../support/console-errors.ts';
import { getChunkPattern } from '../../support/product.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.demo });

declare global {
  interface Window {
    /** The theme at every painted frame. */
    paintedThemes?: (string | undefined)[];
    /** The sum of the layout shifts. */
    layoutShift?: number;
  }
}

test('[SHELL-07] the theme is dark by default; a choice applies from the next first paint', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const themes: (string | undefined)[] = [];
    window.paintedThemes = themes;
    const recordTheme = () => {
      if (document.body) themes.push(document.documentElement.dataset.theme);
      if (themes.length < 120) requestAnimationFrame(recordTheme);
    };
    requestAnimationFrame(recordTheme);
  });
  const html = page.locator('html');
  await page.goto('/discover');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  const getBackground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await getBackground();

  await page.getByRole('button', { name: 'Switch to light' }).click();
  await expect(html).toHaveAttribute('data-theme', 'light');
  await expect(page.getByRole('button', { name: 'Switch to dark' })).toBeVisible();
  await expect.poll(getBackground).not.toBe(dark);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Switch to dark' })).toBeVisible();
  const getPaintedThemes = () => page.evaluate(() => window.paintedThemes ?? []);
  await expect.poll(async () => (await getPaintedThemes()).length).toBeGreaterThan(2);
  expect(new Set(await getPaintedThemes())).toEqual(new Set(['light']));
});

test('[SHELL-08] the language changes at once, is set on the page, and is stored', async ({ page }) => {
  await page.goto('/discover');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', 'en');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(html).toHaveAttribute('lang', 'es');
  await expect(page.getByRole('link', { name: 'Descubrir' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Últimos artículos', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Reproductor' })).toBeVisible();
  await page.reload();
  await expect(html).toHaveAttribute('lang', 'es');
  await expect(page.getByRole('link', { name: 'Descubrir' })).toBeVisible();
});

test('[SHELL-08] a Spanish browser gets the Spanish interface', async ({ openOtherDevice }) => {
  const page = await openOtherDevice({ locale: 'es-PE' });
  await page.goto('/auth/sign-in');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(page.getByRole('button', { name: 'Iniciar sesión', exact: true })).toBeVisible();
});

test('[SHELL-05] the document title is the playing track, else the app’s name', async ({ page }) => {
  await page.goto('/discover');
  await expect(page).toHaveTitle('Escucho');
  const title = await getTitle(getNewest(page));
  await getNewest(page).click();
  await expectPlaying(page);
  await expect(page).toHaveTitle(title);
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause' }).click();
  await expect(page).toHaveTitle('Escucho');
});

test('[SHELL-06] the sidebar links to all pages; the drawer closes on Escape or a click outside', async ({
  page,
}) => {
  await page.goto('/discover');
  const links = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
  await expect(links).toHaveText(['Discover', 'Search', 'Library', 'Visual books', /^About us/]);
  const about = links.last();
  await expect(about).toHaveAttribute('target', '_blank');
  await expect(about).toHaveAttribute('rel', /noopener/);

  await page.setViewportSize({ width: 600, height: 800 });
  const open = page.getByRole('button', { name: 'Open navigation' });
  const drawer = page.getByRole('dialog', { name: 'Navigation' });
  await open.click();
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(open).toBeFocused();
  await open.click();
  await expect(drawer).toBeVisible();
  await page.mouse.click(580, 400);
  await expect(drawer).toBeHidden();
  await open.click();
  await drawer.getByRole('link', { name: 'Library' }).click();
  await expect(page).toHaveURL('/library');
  await expect(drawer).toBeHidden();
});

test('[SHELL-04] search starts 500 ms after the last key; clearing returns to browsing', async ({ page }) => {
  // The test controls the clock of the page.
  const { clock } = page;
  await clock.install();
  await page.goto('/library');
  const box = page.getByRole('searchbox', { name: 'Search' });
  await expect(page.getByRole('heading', { name: 'Your library' })).toBeVisible();
  await clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  for (const key of 'ferry & co') {
    await box.press(key === ' ' ? 'Space' : key);
    await clock.runFor(480);
  }
  expect(page.url()).toMatch(/\/library$/);
  await clock.runFor(20);
  await expect(page).toHaveURL(/\/articles\/search\/ferry%20%26%20co$/);
  await clock.resume();
  await box.fill('');
  await expect(page).toHaveURL(/\/articles\/search$/);
  await page.goto('/library');
  await expect(page.getByRole('heading', { name: 'Your library' })).toBeVisible();
  await clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await box.fill('x');
  await box.fill('');
  await clock.runFor(2000);
  await expect(page.getByRole('heading', { name: 'Your library' })).toBeVisible();
  await expect(page).toHaveURL('/library');
});

test('[CAT-07] the bell marks new notifications until it is opened', async ({ page }) => {
  await page.goto('/discover');
  await page.getByRole('button', { name: 'Notifications, there is something new' }).click();
  const notifications = page.getByRole('region', { name: 'Notifications' });
  await expect(notifications.getByRole('listitem').first()).toContainText(/\d{2} \p{L}{3,4} \d{4}/u);
  await page.keyboard.press('Escape');
  await expect(notifications).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
});

test('[SHELL-11] a page that crashes shows an error and reloads', async ({ page, consoleErrors }) => {
  consoleErrors.allow(networkError, statusError(500));
  await page.route(getChunkPattern('src/app/pages/library.tsx'), (route) => route.abort());
  await page.goto('/settings/profile');
  await page.getByRole('link', { name: 'Library' }).click();
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByRole('heading', { name: 'Your library' })).toBeVisible();
});

test('[SHELL-11] a page opened offline in the first seconds loads once online', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(networkError);
  await page.goto('/settings/profile');
  await expect(page.getByLabel('First name')).toBeVisible();
  await context.setOffline(true);
  const banner = page.getByText('You are offline. What you have open keeps working.');
  await expect(banner).toBeVisible();
  await page.getByRole('link', { name: 'Library' }).click();
  await expect(page.getByRole('heading', { name: 'This did not load' })).toBeVisible();
  await context.setOffline(false);
  await expect(banner).toBeHidden();
  // The player may not have loaded either.
  await page.getByRole('button', { name: 'Load again' }).first().click();
  await expect(page.getByRole('heading', { name: 'Your library' })).toBeVisible();
});

test('[SHELL-11] a dialog that did not load offers to load the page again', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(networkError);
  const source = 'src/features/playlists/components/playlist-dialogs.tsx';
  await page.route(getChunkPattern(source), (route) => route.abort());
  await page.goto('/library');
  const button = page.getByRole('button', { name: 'New playlist' });
  await button.click();
  await expect(page.getByText('This did not load')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await button.click();
  await expect(page.getByRole('dialog', { name: 'New playlist' })).toBeVisible();
});

test('[SHELL-11] a section that did not load is loaded by a retry', async ({ page, consoleErrors }) => {
  consoleErrors.allow(networkError);
  await page.route(getChunkPattern('src/features/history/components/statistics.tsx'), (route) =>
    route.abort(),
  );
  await page.goto('/library');
  const retryButton = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(retryButton).toBeVisible();
  await page.unrouteAll();
  await expect(async () => {
    if (await retryButton.isVisible()) await retryButton.click({ timeout: 1000 });
    await expect(page.getByRole('heading', { name: 'Your listening' })).toBeVisible({ timeout: 2000 });
  }).toPass();
});

test('[SHELL-07] forced colors mark the current page and what is chosen', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/settings/profile');
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  const marks = [
    [tabs.getByRole('link', { name: 'Profile' }), tabs.getByRole('link', { name: 'Security' })],
    [page.locator('label', { hasText: 'Dark' }), page.locator('label', { hasText: 'Light' })],
  ] as const;
  for (const [chosen, other] of marks) {
    const [color, ground] = await chosen.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [color, backgroundColor];
    });
    expect(color).not.toBe(ground);
    await expect(other).not.toHaveCSS('background-color', ground ?? '');
  }
});

test('[CAT-04] a printed article is its text, without what the page is operated by', async ({ page }) => {
  await page.goto('/discover');
  const title = await getTitle(getNewest(page));
  await page
    .getByRole('button', { name: `More for ${title}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Go to article' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: `Text of ${title}` })).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'More like this' })).toBeHidden();
});

test('[SHELL-01] pages keep their layout while their data loads', async ({ page }) => {
  // High enough for all sections.
  await page.setViewportSize({ width: 390, height: 1400 });
  await page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry) window.layoutShift = (window.layoutShift ?? 0) + Number(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const docs = Array.from({ length: 5 }, () => ({
    _id: crypto.randomUUID(),
    name: 'For the train',
    titles: null,
    origin: 'user',
    active: true,
    images: [],
    totalTracks: 0,
    totalDuration: 0,
    createdAt: new Date().toISOString(),
  }));
  // Playlists that arrive last, in several rows.
  await page.route('**/api/playlist/find-paginated?*', async (route) => {
    await setTimeout(500);
    await route.fulfill({ json: { docs, totalDocs: docs.length } });
  });
  // A track that another device has begun, after them.
  await page.route('**/api/catalogue/discover', async (route) => {
    const response = await route.fetch();
    const discover = await response.json();
    const [{ url: audio, artist: name, ...track }] = discover.rows[0].tracks;
    const continueListening = [{ ...track, audio, narrator: { name, image: null }, progress: 30 }];
    await setTimeout(1000);
    await route.fulfill({ response, json: { ...discover, continueListening } });
  });
  for (const path of ['/library', '/settings/profile', '/settings/security']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 }).last()).toBeVisible();
    await expect(page.locator('main .skeleton')).toHaveCount(0);
    if (path === '/library') await expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible();
    // Above 0.1 users are disturbed (web.dev/cls).
    expect(await page.evaluate(() => window.layoutShift), path).toBeLessThan(0.03);
  }
});
