import { devices } from '@playwright/test';
import {
  footer,
  fullPlayer,
  leavePaused,
  newest,
  pauseSaved,
  playButtons,
  shelf,
  titleOf,
} from '../support/player.ts';
import { newReader, signedIn, signIn } from '../support/readers.ts';
import {
  begunAt,
  expectPast,
  expectSilence,
  expectSounding,
  jumpsOf,
  placeWhenLeft,
  soundOf,
} from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

test('[PLAY-05] another device resumes at the saved position', async ({ page, otherDevice }) => {
  const { reader, title, left } = await leavePaused(page);
  const other = await otherDevice();
  await signIn(other, reader);
  await shelf(other, 'Continue listening')
    .getByRole('button', { name: `Resume ${title}` })
    .click();
  await expectSounding(other);
  expect(Math.abs((await begunAt(other)) - left)).toBeLessThan(2);
});

test('[PLAY-05] progress made on a phone is resumed here, with a notice and undo', async ({
  page,
  otherDevice,
}) => {
  const { reader, left } = await leavePaused(page);
  const { userAgent, isMobile, hasTouch } = devices['Pixel 7'];
  const phone = await otherDevice({ userAgent, isMobile, hasTouch });
  await signIn(phone, reader);
  await newest(phone).click();
  await expectSounding(phone);
  await phone.keyboard.press('l');
  await expectPast(phone, 15);
  const saved = pauseSaved(phone);
  await footer(phone).getByRole('button', { name: 'Pause' }).click();
  await saved;

  await page.reload();
  await expect(page.getByText(/^Continuing at 0:\d\d, where you were on a phone\./)).toBeVisible();
  const position = footer(page).getByRole('slider', { name: 'Position' });
  const shown = async () => Number(await position.inputValue());
  await expect.poll(shown).toBeGreaterThan(left + 5);
  await page.getByRole('button', { name: /^Back to 0:/ }).click();
  await expect.poll(async () => Math.abs((await shown()) - left)).toBeLessThan(2);
});

test('[PLAY-05] play on a page left open resumes at the phone’s position', async ({ page, otherDevice }) => {
  const { reader, left } = await leavePaused(page);
  // Nothing here asks where other devices are.
  await page.getByRole('link', { name: 'Library' }).first().click();
  await expect(page).toHaveURL(/library/);
  const { userAgent, isMobile, hasTouch } = devices['Pixel 7'];
  const phone = await otherDevice({ userAgent, isMobile, hasTouch });
  await signIn(phone, reader);
  await newest(phone).click();
  await expectSounding(phone);
  const saved = phone.waitForResponse(
    (answer) =>
      answer.url().includes('/listening/progress') && answer.request().postDataJSON().cause === 'pause',
  );
  await phone.keyboard.press('l');
  await phone.keyboard.press('l');
  await expectPast(phone, 31);
  await footer(phone).getByRole('button', { name: 'Pause' }).click();
  await saved;

  await footer(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByText(/^Continuing at 0:\d\d, where you were on a phone\./)).toBeVisible();
  await expectPast(page, 31);
  await page.getByRole('button', { name: /^Back to 0:/ }).click();
  const position = footer(page).getByRole('slider', { name: 'Position' });
  await expect.poll(async () => Number(await position.inputValue())).toBeLessThan(left + 15);
});

test('[PLAY-05] leaving without a pause saves the position too', async ({ page }) => {
  await signIn(page, await newReader(page.request));
  const title = await titleOf(newest(page));
  await newest(page).click();
  await expectPast(page, 4);
  const placeLeft = await placeWhenLeft(page);
  await page.goto('about:blank');
  await page.goto('/discover');
  await expect(footer(page)).toContainText(title);
  const left = await placeLeft();
  expect(left).toBeGreaterThan(4);
  const position = footer(page).getByRole('slider', { name: 'Position' });
  await expect.poll(async () => Math.abs(Number(await position.inputValue()) - left)).toBeLessThan(2);
  await expect(footer(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  expect((await soundOf(page)).paused).toBe(true);
});

test.describe('with a subscription', () => {
  test.use({ storageState: signedIn.demo });

  test('[PLAY-03] next at the last track stops, previous at the first stays', async ({ page }) => {
    await page.goto('/discover');
    const tracks = playButtons(shelf(page, 'Latest articles'));
    const last = tracks.last();
    const title = await titleOf(last);
    await last.click();
    await expectSounding(page);
    await footer(page).getByRole('button', { name: 'Next' }).click();
    await expectSilence(page);
    await expect(footer(page)).toContainText(title);
    await expect(footer(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();

    const first = tracks.first();
    const firstTitle = await titleOf(first);
    await first.click();
    await expectSounding(page);
    await footer(page).getByRole('button', { name: 'Previous' }).click();
    await expect(footer(page)).toContainText(firstTitle);
  });

  test('[PLAY-07] a drawer over the full player returns the focus to its button', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/discover');
    await newest(page).click();
    await expectSounding(page);
    await footer(page)
      .getByRole('button', { name: /^Open the player/ })
      .click();
    for (const name of ['Queue', 'Chapters and bookmarks']) {
      const opener = fullPlayer(page).getByRole('button', { name });
      await opener.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name })).toBeHidden();
      await expect(opener).toBeFocused();
    }
    // On its side there is little room above a button: what opens there scrolls.
    await page.setViewportSize({ width: 740, height: 360 });
    await fullPlayer(page).getByRole('button', { name: 'Sleep timer' }).click();
    await expect(fullPlayer(page).getByRole('radio', { name: 'Off' })).toBeInViewport({ ratio: 1 });
    await fullPlayer(page).getByRole('radio', { name: 'End of the track' }).click();
    await expect(fullPlayer(page).getByRole('button', { name: /end of the track/i })).toBeVisible();
  });

  test('[PLAY-06] the next track plays at the end of a track', async ({ page }) => {
    await page.goto('/discover');
    const tracks = playButtons(shelf(page, 'Latest articles'));
    const following = await titleOf(tracks.nth(2));
    await tracks.nth(1).click();
    await expectSounding(page);
    const { source } = await soundOf(page);
    const slider = footer(page).getByRole('slider', { name: 'Position' });
    await slider.fill(String(Math.floor(Number(await slider.getAttribute('max'))) - 2));
    await expect(footer(page)).toContainText(following, { timeout: 15_000 });
    await expectSounding(page);
    expect((await soundOf(page)).source).not.toBe(source);
  });

  test('[PLAY-07] keys skip, seek and mute; a question mark lists them', async ({ page }) => {
    await page.goto('/discover');
    await playButtons(shelf(page, 'Latest articles')).nth(3).click();
    await expectSounding(page);
    await page.getByRole('main').focus();
    await page.keyboard.press('k');
    const place = await expectSilence(page);
    const jumps = await jumpsOf(page);
    await page.keyboard.press('l');
    await expect.poll(jumps).toEqual([expect.closeTo(place + 15, 0)]);
    await page.keyboard.press('j');
    await expect.poll(jumps).toEqual([expect.closeTo(place + 15, 0), expect.closeTo(place, 0)]);
    await page.keyboard.press('k');
    await expectSounding(page);
    await page.keyboard.press('m');
    await expect.poll(async () => (await soundOf(page)).volume).toBe(0);
    await page.keyboard.press('m');
    await expect.poll(async () => (await soundOf(page)).volume).toBe(1);
    await page.keyboard.press('k');
    await expectSilence(page);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
  });

  test('[PLAY-07] the queue lists, plays and removes upcoming tracks', async ({ page }) => {
    await page.goto('/discover');
    const tracks = playButtons(shelf(page, 'Latest articles'));
    const [first, second, third] = [
      await titleOf(tracks.nth(0)),
      await titleOf(tracks.nth(1)),
      await titleOf(tracks.nth(2)),
    ];
    await tracks.first().click();
    await expectSounding(page);
    await footer(page).getByRole('button', { name: 'Queue' }).click();
    const queue = page.getByRole('dialog', { name: 'Queue' });
    await expect(queue.getByRole('listitem').first()).toContainText(first);
    await queue.getByRole('button', { name: `Remove ${second} from the queue` }).click();
    await expect(queue.getByRole('listitem').filter({ hasText: second })).toHaveCount(0);
    await queue.getByRole('listitem').filter({ hasText: third }).getByRole('button').first().click();
    await expect(footer(page)).toContainText(third);
    await page.keyboard.press('Escape');
    await expect(queue).toBeHidden();
  });
});
