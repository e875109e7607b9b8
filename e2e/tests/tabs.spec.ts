import type { Page } from '@playwright/test';
import { noNetwork } from '../support/noise.ts';
import { footer, playButtons, shelf, titleOf } from '../support/player.ts';
import { signedIn } from '../support/readers.ts';
import { expectSilence, expectSounding, soundOf } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

test.use({ storageState: signedIn.demo });

const playButton = (page: Page) => footer(page).getByRole('button', { name: 'Play', exact: true });

/** Opens Discover and plays the track of that number. Out: its title. */
async function playOn(page: Page, number: number): Promise<string> {
  await page.goto('/discover');
  const button = playButtons(shelf(page, 'Latest articles')).nth(number);
  const title = await titleOf(button);
  await button.click();
  await expectSounding(page);
  return title;
}

test('[PLAY-01] one of two tabs plays; the other shows pause and takes over at its position', async ({
  page,
  context,
  noise,
}) => {
  noise.allow(noNetwork);
  const title = await playOn(page, 0);
  const other = await context.newPage();
  await playOn(other, 2);
  const left = await expectSilence(page);
  await expect(footer(page)).toContainText(title);
  await expect(playButton(page)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await playButton(page).click();
  expect(await expectSounding(page)).toBeGreaterThanOrEqual(left);
  await expectSilence(other);

  await context.setOffline(true);
  await playButton(other).click();
  await expectSounding(other);
  await expectSilence(page);
});

test('[PLAY-01] a closed tab blocks no other; the tab that played last keeps the queue', async ({
  page,
  context,
}) => {
  await playOn(page, 0);
  const other = await context.newPage();
  const title = await playOn(other, 2);
  await expectSilence(page);
  await footer(other).getByRole('button', { name: 'Pause' }).click();
  await expectSilence(other);
  // What changes in a tab that played before is not kept over the queue of the one that played last.
  await page.getByRole('main').focus();
  await page.keyboard.press('Shift+>');
  await expect(footer(page).getByRole('button', { name: /^Speed 1\.1×/ })).toBeVisible();
  await other.close();
  await page.close();

  const later = await context.newPage();
  await later.goto('/discover');
  await expect(footer(later)).toContainText(title);
  await expect(playButton(later)).toBeVisible();
  expect((await soundOf(later)).paused).toBe(true);
  await playButton(later).click();
  await expectSounding(later);
});
