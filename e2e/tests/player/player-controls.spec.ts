import type { Page } from '@playwright/test';
import {
  getDiscoverSection,
  getFooter,
  getFullPlayer,
  getNewest,
  getPlayButtons,
  getPositionSlider,
  getTitle,
  openControls,
  openFullPlayer,
  playAndPause,
  readDuration,
  waitForSavedPause,
} from '../../support/app/player.ts';
import { createUser, signIn, storageStates } from '../../support/app/users.ts';
import {
  expectPaused,
  expectPlaying,
  expectPositionPast,
  recordSeeks,
  seekTo,
} from '../../support/audio/audio.ts';
import { networkError } from '../../support/console-errors.ts';
import { dragBefore } from '../../support/input/touch.ts';
import { expect, test } from '../../support/test.ts';

test.describe('with a subscription', () => {
  test.use({ storageState: storageStates.demo });
  test.beforeEach(({ page }) => page.goto('/discover'));

  test('[PLAY-06] [SHELL-02] focus in the player or header does not scroll the page', async ({ page }) => {
    await getNewest(page).click();
    await expectPlaying(page);
    const getScroll = () => page.evaluate(() => Math.round(window.scrollY));
    await page.evaluate(() => window.scrollTo(0, 800));
    expect(await getScroll()).toBe(800);
    for (const control of [
      // By name: the footer shows a track shortly after its sound starts, and has other buttons before.
      getFooter(page).getByRole('button', { name: /^Open the player/ }),
      page.getByRole('banner').getByRole('button').first(),
    ]) {
      await control.focus();
      await expect(control).toBeFocused();
      expect(await getScroll()).toBe(800);
    }
  });

  test('[PLAY-07] the queue is reordered by dragging, and undone', async ({ page, isMobile }) => {
    await getNewest(page).click();
    await expectPlaying(page);
    const controls = await openControls(page, isMobile);
    await seekTo(page, getPositionSlider(controls), 0);
    await controls.getByRole('button', { name: 'Queue' }).click();
    const queue = page.getByRole('dialog', { name: 'Queue' });
    const rows = queue.getByRole('listitem');
    const titles = () =>
      rows.evaluateAll((all) => all.map((row) => row.querySelector('[lang]')?.textContent));
    await expect(rows.nth(3)).toBeVisible();
    const [first, second, third, ...rest] = await titles();
    await dragBefore(page, rows.nth(2).getByRole('button', { name: /^Move/ }), rows.nth(1), isMobile);
    await expect.poll(titles).toEqual([first, third, second, ...rest]);
    await expect(queue.getByRole('status').filter({ hasText: 'Undo' })).toContainText(`${third} is now 2 of`);
    await queue.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(titles).toEqual([first, second, third, ...rest]);

    await rows.nth(3).getByRole('button', { name: /next$/ }).click();
    await expect.poll(async () => (await titles())[1]).toBe(rest[0]);
    await queue.getByRole('button', { name: 'Clear the queue' }).click();
    await expectPaused(page);
    await queue.getByRole('button', { name: 'Undo' }).click();
    await expect(rows.first()).toContainText(first ?? '');
    await page.keyboard.press('Escape');
    await expect(queue).toBeHidden();
    await expect(getFooter(page)).toContainText(first ?? '');
  });

  test('[PLAY-07] the sleep timer stops at the end of the track', async ({ page, isMobile }) => {
    const tracks = getPlayButtons(getDiscoverSection(page, 'Latest articles'));
    const following = await getTitle(tracks.nth(1));
    await tracks.first().click();
    await expectPlaying(page);
    const controls = await openControls(page, isMobile);
    await seekTo(page, getPositionSlider(controls), 0);
    await controls.getByRole('button', { name: 'Sleep timer' }).click();
    await page.getByRole('radio', { name: 'End of the track' }).click();
    await expect(controls.getByRole('button', { name: /until the end of the track/ })).toBeVisible();
    const slider = getPositionSlider(controls);
    await slider.fill(String(Math.floor(await readDuration(slider)) - 1));
    await expect(controls).toContainText(following, { timeout: 15_000 });
    await expectPaused(page);
    await expect(controls.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  });

  test('[PLAY-05] a jump to the start can be undone', async ({ page, isMobile }) => {
    await getNewest(page).click();
    await expectPlaying(page);
    const controls = await openControls(page, isMobile);
    await seekTo(page, getPositionSlider(controls), 50);
    await seekTo(page, getPositionSlider(controls), 0);
    await page.getByRole('button', { name: /^Back to (0:5|[1-9]:)/ }).click();
    await expectPositionPast(page, 49);
  });
});

test('[PLAY-05] bookmarks work offline, sync to every device, and deletion can be undone', {
  tag: '@desktop-only',
}, async ({ page, openOtherDevice, consoleErrors }) => {
  consoleErrors.allow(networkError);
  const user = await createUser(page.request);
  const openChapters = async (device: Page) => {
    await openFullPlayer(device);
    await getFullPlayer(device).getByRole('button', { name: 'Chapters and bookmarks' }).click();
    return device.getByRole('dialog', { name: 'Chapters and bookmarks' });
  };
  await signIn(page, user);
  await getNewest(page).click();
  await expectPositionPast(page, 3);
  const drawer = await openChapters(page);
  await expect(drawer.getByText(/^Mark a place/)).toBeVisible();
  await page.context().setOffline(true);
  await drawer.getByRole('button', { name: 'Bookmark this place' }).click();
  await drawer.getByRole('textbox', { name: 'Note' }).fill('look this up');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('look this up')).toBeVisible();
  const bookmarkSaved = page.waitForResponse(
    (answer) => answer.url().includes('/api/bookmarks') && answer.request().method() === 'PUT' && answer.ok(),
  );
  await page.context().setOffline(false);
  await bookmarkSaved;

  const other = await openOtherDevice();
  await signIn(other, user);
  await getNewest(other).click();
  await expectPlaying(other);
  const otherDrawer = await openChapters(other);
  const bookmark = otherDrawer.getByRole('button', { name: /^Go to 0:/ });
  await expect(bookmark).toContainText('look this up');
  const bookmarkedAt = Number(/Go to 0:(\d\d)/.exec((await bookmark.textContent()) ?? '')?.[1]);
  const jumps = await recordSeeks(other);
  await bookmark.click();
  await expect.poll(async () => (await jumps()).map(Math.floor)).toContain(bookmarkedAt);
  await otherDrawer.getByRole('button', { name: /^Delete the bookmark/ }).click();
  await expect(bookmark).toBeHidden();
  await other.getByRole('button', { name: 'Undo' }).click();
  await expect(bookmark).toBeVisible();
});

test('[PLAY-05] a paused track follows another device, with undo', { tag: '@desktop-only' }, async ({
  page,
  openOtherDevice,
}) => {
  const { user, position: pausedAt } = await playAndPause(page);
  const other = await openOtherDevice();
  await signIn(other, user);
  await getNewest(other).click();
  await expectPlaying(other);
  await other.getByRole('main').focus();
  for (let presses = 0; presses < 2; presses += 1) await other.keyboard.press('l');
  await expectPositionPast(other, pausedAt + 25);
  const saved = waitForSavedPause(other);
  await other.keyboard.press('k');
  await saved;

  await page.reload();
  await page.getByRole('button', { name: /^Back to 0:/ }).click();
  const slider = page.getByRole('slider', { name: 'Position', includeHidden: true }).first();
  await expect.poll(async () => Math.abs(Number(await slider.inputValue()) - pausedAt)).toBeLessThan(2);
});
