import { devices } from '@playwright/test';
import {
  getDiscoverSection,
  getFooter,
  getFullPlayer,
  getNewest,
  getPlayButtons,
  getPositionSlider,
  getTitle,
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
  getAudioState,
  getPlaybackStart,
  recordSeeks,
} from '../../support/audio/audio.ts';
import { expect, test } from '../../support/test.ts';

test('[PLAY-05] another device resumes at the saved position', async ({ page, openOtherDevice }) => {
  const { user, title, position: pausedAt } = await playAndPause(page);
  const other = await openOtherDevice();
  await signIn(other, user);
  await getDiscoverSection(other, 'Continue listening')
    .getByRole('button', { name: `Resume ${title}` })
    .click();
  await expectPlaying(other);
  expect(Math.abs((await getPlaybackStart(other)) - pausedAt)).toBeLessThan(2);
});

test('[PLAY-05] progress made on a phone is resumed here, with a notice and undo', async ({
  page,
  openOtherDevice,
}) => {
  const { user, position: pausedAt } = await playAndPause(page);
  const { userAgent, isMobile, hasTouch } = devices['Pixel 7'];
  const phone = await openOtherDevice({ userAgent, isMobile, hasTouch });
  await signIn(phone, user);
  await getNewest(phone).click();
  await expectPlaying(phone);
  await phone.keyboard.press('l');
  await expectPositionPast(phone, 15);
  const saved = waitForSavedPause(phone);
  await getFooter(phone).getByRole('button', { name: 'Pause' }).click();
  await saved;

  await page.reload();
  await expect(page.getByText(/^Continuing at 0:\d\d, where you were on a phone\./)).toBeVisible();
  const slider = getPositionSlider(getFooter(page));
  const getShownPosition = async () => Number(await slider.inputValue());
  await expect.poll(getShownPosition).toBeGreaterThan(pausedAt + 5);
  await page.getByRole('button', { name: /^Back to 0:/ }).click();
  await expect.poll(async () => Math.abs((await getShownPosition()) - pausedAt)).toBeLessThan(2);
});

test('[PLAY-05] play on a page left open resumes at the phone’s position', async ({
  page,
  openOtherDevice,
}) => {
  const { user, position: pausedAt } = await playAndPause(page);
  // The library page does not check the progress of other devices.
  await page.getByRole('link', { name: 'Library' }).first().click();
  await expect(page).toHaveURL(/library/);
  const { userAgent, isMobile, hasTouch } = devices['Pixel 7'];
  const phone = await openOtherDevice({ userAgent, isMobile, hasTouch });
  await signIn(phone, user);
  await getNewest(phone).click();
  await expectPlaying(phone);
  const saved = phone.waitForResponse(
    (response) =>
      response.url().includes('/listening/progress') && response.request().postDataJSON().cause === 'pause',
  );
  await phone.keyboard.press('l');
  await phone.keyboard.press('l');
  await expectPositionPast(phone, 31);
  await getFooter(phone).getByRole('button', { name: 'Pause' }).click();
  await saved;

  await getFooter(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByText(/^Continuing at 0:\d\d, where you were on a phone\./)).toBeVisible();
  await expectPositionPast(page, 31);
  await page.getByRole('button', { name: /^Back to 0:/ }).click();
  const slider = getPositionSlider(getFooter(page));
  await expect.poll(async () => Number(await slider.inputValue())).toBeLessThan(pausedAt + 15);
});

test('[PLAY-05] leaving without a pause saves the position too', async ({ page }) => {
  await signIn(page, await createUser(page.request));
  const title = await getTitle(getNewest(page));
  await getNewest(page).click();
  await expectPositionPast(page, 4);
  const { position: leftAt } = await getAudioState(page);
  await page.goto('about:blank');
  await page.goto('/discover');
  await expect(getFooter(page)).toContainText(title);
  const slider = getPositionSlider(getFooter(page));
  // It plays on until the page has gone, which takes a while on a busy machine.
  await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(leftAt - 2);
  await expect(getFooter(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  expect((await getAudioState(page)).paused).toBe(true);
});

test.describe('with a subscription', () => {
  test.use({ storageState: storageStates.demo });

  test('[PLAY-03] next at the last track stops, previous at the first stays', async ({ page }) => {
    await page.goto('/discover');
    const tracks = getPlayButtons(getDiscoverSection(page, 'Latest articles'));
    const last = tracks.last();
    const title = await getTitle(last);
    await last.click();
    await expectPlaying(page);
    await getFooter(page).getByRole('button', { name: 'Next' }).click();
    await expectPaused(page);
    await expect(getFooter(page)).toContainText(title);
    await expect(getFooter(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();

    const first = tracks.first();
    const firstTitle = await getTitle(first);
    await first.click();
    await expectPlaying(page);
    await getFooter(page).getByRole('button', { name: 'Previous' }).click();
    await expect(getFooter(page)).toContainText(firstTitle);
  });

  test('[PLAY-07] a drawer over the full player returns the focus to its button', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/discover');
    await getNewest(page).click();
    await expectPlaying(page);
    await openFullPlayer(page);
    for (const name of ['Queue', 'Chapters and bookmarks']) {
      const opener = getFullPlayer(page).getByRole('button', { name });
      await opener.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name })).toBeHidden();
      await expect(opener).toBeFocused();
    }
    // In landscape there is little room above the button, so the menu scrolls.
    await page.setViewportSize({ width: 740, height: 360 });
    await getFullPlayer(page).getByRole('button', { name: 'Sleep timer' }).click();
    await expect(getFullPlayer(page).getByRole('radio', { name: 'Off' })).toBeInViewport({ ratio: 1 });
    await getFullPlayer(page).getByRole('radio', { name: 'End of the track' }).click();
    await expect(getFullPlayer(page).getByRole('button', { name: /end of the track/i })).toBeVisible();
  });

  test('[PLAY-06] the next track plays at the end of a track', async ({ page }) => {
    await page.goto('/discover');
    const tracks = getPlayButtons(getDiscoverSection(page, 'Latest articles'));
    const nextTitle = await getTitle(tracks.nth(2));
    await tracks.nth(1).click();
    await expectPlaying(page);
    const { source } = await getAudioState(page);
    const slider = getPositionSlider(getFooter(page));
    await slider.fill(String(Math.floor(await readDuration(slider)) - 2));
    await expect(getFooter(page)).toContainText(nextTitle, { timeout: 15_000 });
    await expectPlaying(page);
    expect((await getAudioState(page)).source).not.toBe(source);
  });

  test('[PLAY-07] keys skip, seek and mute; a question mark lists them', async ({ page }) => {
    await page.goto('/discover');
    await getPlayButtons(getDiscoverSection(page, 'Latest articles')).nth(3).click();
    await expectPlaying(page);
    await page.getByRole('main').focus();
    await page.keyboard.press('k');
    const pausedAt = await expectPaused(page);
    const getSeeks = await recordSeeks(page);
    await page.keyboard.press('l');
    await expect.poll(getSeeks).toEqual([expect.closeTo(pausedAt + 15, 0)]);
    await page.keyboard.press('j');
    await expect.poll(getSeeks).toEqual([expect.closeTo(pausedAt + 15, 0), expect.closeTo(pausedAt, 0)]);
    await page.keyboard.press('k');
    await expectPlaying(page);
    await page.keyboard.press('m');
    await expect.poll(async () => (await getAudioState(page)).volume).toBe(0);
    await page.keyboard.press('m');
    await expect.poll(async () => (await getAudioState(page)).volume).toBe(1);
    await page.keyboard.press('k');
    await expectPaused(page);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
  });

  test('[PLAY-07] the queue lists, plays and removes upcoming tracks', async ({ page }) => {
    await page.goto('/discover');
    const tracks = getPlayButtons(getDiscoverSection(page, 'Latest articles'));
    const [first, second, third] = [
      await getTitle(tracks.nth(0)),
      await getTitle(tracks.nth(1)),
      await getTitle(tracks.nth(2)),
    ];
    await tracks.first().click();
    await expectPlaying(page);
    await getFooter(page).getByRole('button', { name: 'Queue' }).click();
    const queue = page.getByRole('dialog', { name: 'Queue' });
    await expect(queue.getByRole('listitem').first()).toContainText(first);
    await queue.getByRole('button', { name: `Remove ${second} from the queue` }).click();
    await expect(queue.getByRole('listitem').filter({ hasText: second })).toHaveCount(0);
    await queue.getByRole('listitem').filter({ hasText: third }).getByRole('button').first().click();
    await expect(getFooter(page)).toContainText(third);
    await page.keyboard.press('Escape');
    await expect(queue).toBeHidden();
  });
});
