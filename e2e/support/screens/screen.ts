import type { Locator, Page } from '@playwright/test';
import type { Platform } from '../../../packages/contracts/src/index.ts';
import type { MessageKey, Translate } from '../app/messages.ts';
import { expect } from '../browser.ts';

/** A state of the app that accessibility tests check and that pictures are taken of. */
export interface Screen {
  name: string;
  path: string;
  /** Whose session the page has. An operator's user signs in when the screen opens, since those tokens are not stored. */
  user: 'none' | 'demo' | 'free';
  /** The operator whose simulated subscriber signs in first. */
  operator?: Platform;
  /** Needs the user agent of Chrome on Android, as Playwright's phones send it. */
  android?: true;
  /** Limits the screen to phones or to wide viewports. */
  only?: 'phone' | 'desktop';
  /** Requests that fail with a status. */
  failedRequest?: { url: RegExp; status: number };
  /** Responses in which some members are replaced. */
  overriddenResponse?: { url: RegExp; members: object };
  /** Console errors that the screen causes. */
  allowedErrors?: readonly RegExp[];
  /** Runs once the page is loaded. */
  open?: (page: Page, t: Translate) => Promise<void>;
}

/** Submits a form with invalid values and waits for an error. */
export const submitInvalid = (key: MessageKey) => async (page: Page, t: Translate) => {
  await page.getByRole('button', { name: t(key), exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
};

export const clickButton = async (container: Page | Locator, name: string | RegExp) =>
  container
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click();

export const openMenu = (key: MessageKey) => async (page: Page, t: Translate) => {
  await clickButton(page, t(key));
  await expect(page.getByRole('menu')).toBeVisible();
};

/** Matches labels that start like a message, up to its first parameter. */
export const matchPrefix = (text: string) =>
  new RegExp(`^${text.replace(/\{\w+\}.*$/, '')}(?!all of |todo )`);

/** The path of a page with a dozen tracks, the newest article first: loaded and checked by axe in less time than Discover or all articles. */
export const listPath = '/articles/level/B1';

export const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;
