import type { Page } from '@playwright/test';
import { getDiscoverSection, getFooter, getPlayButtons, getTitle } from '../../support/app/player.ts';
import { storageStates } from '../../support/app/users.ts';
import { expectPaused, expectPlaying, getAudioState } from '../../support/audio/audio.ts';
import { networkError } from '../../support/console-errors.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.demo });

const getPlayButton = (page: Page) => getFooter(page).getByRole('button', { name: 'Play', exact: true });

/** Opens Discover and plays the track at an index. Returns its title. */
async function playOn(page: Page, number: number): Promise<string> {
  await page.goto('/discover');
  const button = getPlayButtons(getDiscoverSection(page, 'Latest articles')).nth(number);
  const title = await getTitle(button);
  await button.click();
  await expectPlaying(page);
  return title;
}

test('[PLAY-01] one of two tabs plays; the other shows pause and takes over at its position', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(networkError);
  const title = await playOn(page, 0);
  const other = await context.newPage();
  await playOn(other, 2);
  const position = await expectPaused(page);
  await expect(getFooter(page)).toContainText(title);
  await expect(getPlayButton(page)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await getPlayButton(page).click();
  expect(await expectPlaying(page)).toBeGreaterThanOrEqual(position);
  await expectPaused(other);

  await context.setOffline(true);
  await getPlayButton(other).click();
  await expectPlaying(other);
  await expectPaused(page);
});

test('[PLAY-01] a closed tab blocks no other; the tab that played last keeps the queue', async ({
  page,
  context,
}) => {
  await playOn(page, 0);
  const other = await context.newPage();
  const title = await playOn(other, 2);
  await expectPaused(page);
  await getFooter(other).getByRole('button', { name: 'Pause' }).click();
  await expectPaused(other);
  // A change in a tab that played earlier must not overwrite the queue of the one that played last.
  await page.getByRole('main').focus();
  await page.keyboard.press('Shift+>');
  await expect(getFooter(page).getByRole('button', { name: /^Speed 1\.1×/ })).toBeVisible();
  await other.close();
  await page.close();

  const reopened = await context.newPage();
  await reopened.goto('/discover');
  await expect(getFooter(reopened)).toContainText(title);
  await expect(getPlayButton(reopened)).toBeVisible();
  expect((await getAudioState(reopened)).paused).toBe(true);
  await getPlayButton(reopened).click();
  await expectPlaying(reopened);
});
