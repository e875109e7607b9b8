import { createTranslate } from '../../support/app/messages.ts';
import { getFullPlayer, getNewest, openFullPlayer } from '../../support/app/player.ts';
import { choosePlan } from '../../support/app/purchase.ts';
import { storageStates } from '../../support/app/users.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.free });

const t = createTranslate('es');

test('[SHELL-01] a menu fits into a low window and is scrolled by keys', async ({ page }) => {
  await page.setViewportSize({ width: 568, height: 280 });
  await page.goto('/discover');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  const getBottom = () => menu.evaluate((popup) => popup.getBoundingClientRect().bottom);
  await expect.poll(getBottom).toBeLessThanOrEqual(280);
  await page.keyboard.press('End');
  await expect(menu.getByRole('menuitem').last()).toBeFocused();
  await expect(menu.getByRole('menuitem').last()).toBeInViewport({ ratio: 1 });
  expect(await getBottom()).toBeLessThanOrEqual(280);
});

test('[SHELL-01] an open menu stays in a window that becomes narrower', async ({ page }) => {
  await page.goto('/discover');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^More for/ })
    .nth(4)
    .click();
  const lastItem = page.getByRole('menuitem').last();
  await expect(lastItem).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(lastItem).toBeInViewport({ ratio: 1 });
});

test('[SHELL-01] letters of twice the size fit into the purchase and the navigation', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/discover');
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  const links = page.getByRole('navigation', { name: t('shell.sections') }).getByRole('link');
  await expect(links).toHaveText(['Descubrir', 'Buscar', 'Biblioteca', 'Libros visuales']);
  const labels = await links.evaluateAll((elements) =>
    elements.map((element) => {
      const text = document.createRange();
      text.selectNodeContents(element);
      const { left, right } = text.getBoundingClientRect();
      return { left, right };
    }),
  );
  for (const [index, { left }] of labels.entries())
    expect(left - (labels[index - 1]?.right ?? 0)).toBeGreaterThan(2);

  const widget = await choosePlan(page, t, 'yearly');
  await expect(widget.getByLabel(t('checkout.cardNumber'))).toBeVisible();
  const { width = 0 } = (await widget.boundingBox()) ?? {};
  const panel = await widget.getByRole('complementary').boundingBox();
  expect(panel?.width).toBeLessThanOrEqual(width);
});

test('[SHELL-01] letters of twice the size fit into the deletion of the account', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/settings/profile');
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox')).toBeVisible();
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('[SHELL-09] a dialog whose title is wider than the window does not scroll sideways', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/discover');
  await getNewest(page).click();
  await openFullPlayer(page);
  await getFullPlayer(page).getByRole('button', { name: 'Chapters and bookmarks' }).click();
  const drawer = page.getByRole('dialog', { name: 'Chapters and bookmarks' });
  await expect(drawer).toBeVisible();
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  await expect.poll(() => drawer.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
});

for (const width of [320, 768, 1440, 2560]) {
  test(`[SHELL-01] nothing overflows horizontally at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/discover', '/library', '/settings/profile']) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
    const content = await page.getByRole('main').boundingBox();
    expect(content?.width).toBeLessThanOrEqual(1950);
  });
}
