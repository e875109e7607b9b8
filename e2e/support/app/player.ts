import type { Locator, Page } from '@playwright/test';
import { expectPaused, expectPositionPast } from '../audio/audio.ts';
import { expect } from '../browser.ts';
import { createUser, signIn } from './users.ts';

/** Returns the player in the footer. */
export const getFooter = (page: Page): Locator => page.getByRole('region', { name: 'Player' });

/** Returns the full-screen player. */
export const getFullPlayer = (page: Page): Locator => page.getByRole('dialog', { name: 'Player' });

export const getDiscoverSection = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true });

/** Returns the buttons that play one track each. */
export const getPlayButtons = (container: Locator): Locator =>
  container.getByRole('button', { name: /^Play (?!all of )/ });

/** Returns the play button of the newest article, which needs no subscription. */
export const getNewest = (page: Page): Locator =>
  getPlayButtons(getDiscoverSection(page, 'Latest articles')).first();

/** Reads the title from a button's label, such as `Play The Night Ferry, needs a subscription`. */
export async function getTitle(button: Locator): Promise<string> {
  const label = (await button.getAttribute('aria-label')) ?? '';
  return label.replace(/^(Play|Pause|Resume) /, '').replace(/, needs a subscription$/, '');
}

/** Waits until the server has saved the position of the next pause. */
export const waitForSavedPause = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.url().includes('/listening/progress') && response.request().postDataJSON().cause === 'pause',
  );

/**
 * Signs in a new user, plays the first seconds of the newest article and pauses.
 *
 * @returns The user, the title and the saved position, in seconds.
 */
export async function playAndPause(page: Page) {
  const user = await createUser(page.request);
  await signIn(page, user);
  const title = await getTitle(getNewest(page));
  await getNewest(page).click();
  await expectPositionPast(page, 3);
  const saved = waitForSavedPause(page);
  await page.getByRole('main').focus();
  await page.keyboard.press('k');
  const position = await expectPaused(page);
  await saved;
  return { user, title, position };
}

/** Opens the full-screen player from the footer. */
export const openFullPlayer = (page: Page): Promise<void> =>
  getFooter(page)
    .getByRole('button', { name: /^Open the player/ })
    .click();

/** Returns the controls of the player: the footer, or the full-screen player, which it opens, on a phone. */
export async function openControls(page: Page, isMobile: boolean): Promise<Locator> {
  if (!isMobile) return getFooter(page);
  await openFullPlayer(page);
  return getFullPlayer(page);
}

export const getPositionSlider = (controls: Locator) => controls.getByRole('slider', { name: 'Position' });

/** Returns the duration of the track in the player, in seconds. The player shows a track a moment after its sound has started. */
export async function readDuration(slider: Locator): Promise<number> {
  await expect(slider).toBeEnabled();
  return Number(await slider.getAttribute('max'));
}
