import type { Locator } from '@playwright/test';
import { getDiscoverSection, getFullPlayer, getNewest, openFullPlayer } from '../../support/app/player.ts';
import { storageStates } from '../../support/app/users.ts';
import { expectPlaying } from '../../support/audio/audio.ts';
import { browserArgs, chromiumPath } from '../../support/browser.ts';
import { expect, test } from '../../support/test.ts';

// Playwright hides scrollbars, which take room on desktops.
test.use({
  launchOptions: {
    args: browserArgs,
    ignoreDefaultArgs: ['--hide-scrollbars'],
    ...(chromiumPath && { executablePath: chromiumPath }),
  },
});

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const getBox = (locator: Locator): Promise<Box> =>
  locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  });
const overlaps = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

test.describe('with visible scrollbars', () => {
  test.use({ storageState: storageStates.demo });

  test('the full player covers the whole window, and Close leaves the text’s scrollbar free', async ({
    page,
  }) => {
    await page.goto('/discover');
    await getNewest(page).click();
    await expectPlaying(page);
    const getScrollbarWidth = () => page.evaluate(() => innerWidth - document.documentElement.clientWidth);
    expect(await getScrollbarWidth()).toBeGreaterThan(0);

    await openFullPlayer(page);
    const player = getFullPlayer(page);
    const text = player.getByRole('region', { name: /^Text of/ });
    await expect(text).toBeVisible();
    await expect
      .poll(() => getBox(player))
      .toMatchObject({ left: 0, right: await page.evaluate(() => innerWidth) });

    const scrollbar = await text.evaluate((element) => {
      const scroller = element.parentElement;
      if (!scroller) throw new Error('The text has no scroll container.');
      const { top, right, bottom } = scroller.getBoundingClientRect();
      return { left: right - (scroller.offsetWidth - scroller.clientWidth), top, right, bottom };
    });
    expect(scrollbar.right - scrollbar.left).toBeGreaterThan(0);
    const close = player.getByRole('button', { name: 'Close', exact: true });
    expect(overlaps(await getBox(close), scrollbar)).toBe(false);
    await close.click();
    await expect(player).toBeHidden();
    expect(await getScrollbarWidth()).toBeGreaterThan(0);
  });
});

test.describe('with a long word in the title', () => {
  test.use({ storageState: storageStates.demo, viewport: { width: 390, height: 844 } });

  test('the controls of the full player are on a phone’s screen', async ({ page }) => {
    await page.route(/\/api\/catalogue\/discover/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/"title":"[^"]+"/g, `"title":"${'Long'.repeat(15)}"`);
      await route.fulfill({ response, body });
    });
    await page.goto('/discover');
    await getNewest(page).click();
    await expectPlaying(page);
    await openFullPlayer(page);
    for (const name of ['Next', 'Queue'])
      await expect(getFullPlayer(page).getByRole('button', { name, exact: true })).toBeInViewport({
        ratio: 1,
      });
  });
});

test.describe('on a low screen', () => {
  test.use({
    storageState: storageStates.demo,
    viewport: { width: 568, height: 420 },
    hasTouch: true,
    isMobile: true,
  });

  test('[PLAY-08] the text ends above its tools, whose settings stay on the screen', async ({ page }) => {
    await page.goto('/discover');
    await getNewest(page).click();
    await expectPlaying(page);
    await openFullPlayer(page);
    const player = getFullPlayer(page);
    const tools = player.getByRole('group', { name: 'Reading along' });
    await tools.getByRole('button', { name: 'Text and speed' }).click();
    const panel = tools.locator('.popup', { has: page.getByRole('slider', { name: 'Text size' }) });
    await expect(panel).toBeVisible();

    await page.setViewportSize({ width: 568, height: 320 });
    await expect.poll(async () => (await getBox(panel)).top).toBeGreaterThan(0);
    const text = player.getByRole('region', { name: /^Text of/ }).locator('..');
    expect(overlaps(await getBox(text), await getBox(tools))).toBe(false);
    const boxes = await Promise.all((await tools.getByRole('button').all()).map(getBox));
    expect(new Set(boxes.map(({ top }) => top)).size, 'one row of tools').toBe(1);
  });
});

test.describe('without a subscription', () => {
  test.use({ storageState: storageStates.free });

  test('[PLAY-04] [CAT-08] covers of ‘Latest’ have a heart and, but for the first, a lock', async ({
    page,
  }) => {
    await page.goto('/discover');
    await expect(getNewest(page)).toBeVisible();
    const covers = getDiscoverSection(page, 'Latest articles').getByRole('listitem');
    for (const [index, isLocked] of [false, true, true].entries()) {
      const cover = covers.nth(index);
      const picture = await getBox(cover.locator('img'));
      const heart = cover.getByRole('button', { name: /favorites$/ });
      await expect(heart).toBeVisible();
      expect(overlaps(await getBox(heart.locator('svg')), picture)).toBe(true);
      const lock = cover.locator('.lucide-lock-keyhole');
      await expect(lock).toHaveCount(isLocked ? 1 : 0);
      await expect(cover.getByRole('button', { name: /needs a subscription$/ })).toHaveCount(
        isLocked ? 1 : 0,
      );
      if (!isLocked) continue;
      await expect(lock).toBeVisible();
      expect(overlaps(await getBox(lock), picture)).toBe(true);
      expect(overlaps(await getBox(heart), await getBox(lock))).toBe(false);
    }
  });
});
