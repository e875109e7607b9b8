import type { Locator, Page } from '@playwright/test';
import { newReader, signIn } from './readers.ts';
import { expectPast, expectSilence } from './sound.ts';

/** The player: the footer, or on a phone, once opened, the whole screen. */
export const footer = (page: Page): Locator => page.getByRole('region', { name: 'Player' });
export const fullPlayer = (page: Page): Locator => page.getByRole('dialog', { name: 'Player' });

/** Discover's row of that name. */
export const shelf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** The buttons that play one track each, first one first; those that need a subscription say so. */
export const playButtons = (within: Locator): Locator =>
  within.getByRole('button', { name: /^Play (?!all of )/ });

/** The newest article: the one everybody may hear. */
export const newest = (page: Page): Locator => playButtons(shelf(page, 'Latest articles')).first();

/** The title in a button's name, such as `Play The Night Ferry, needs a subscription`. */
export async function titleOf(button: Locator): Promise<string> {
  const name = (await button.getAttribute('aria-label')) ?? '';
  return name.replace(/^(Play|Pause|Resume) /, '').replace(/, needs a subscription$/, '');
}

/** Waits until the server has the place of a pause that is about to be made. */
export const pauseSaved = (page: Page) =>
  page.waitForResponse(
    (answer) =>
      answer.url().includes('/listening/progress') && answer.request().postDataJSON().cause === 'pause',
  );

/** A new reader hears the beginning of the newest article and pauses. Out: who that is, the title, and where they left it, in seconds. */
export async function leavePaused(page: Page) {
  const reader = await newReader(page.request);
  await signIn(page, reader);
  const title = await titleOf(newest(page));
  await newest(page).click();
  await expectPast(page, 3);
  const saved = pauseSaved(page);
  await page.getByRole('main').focus();
  await page.keyboard.press('k');
  const left = await expectSilence(page);
  await saved;
  return { reader, title, left };
}
