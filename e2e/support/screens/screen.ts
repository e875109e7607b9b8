import { expect, type Locator, type Page } from '@playwright/test';
import type { Platform } from '../../../packages/contracts/src/index.ts';
import type { Say } from '../words.ts';

/** A screen as a reader can have it before them. */
export interface Screen {
  name: string;
  path: string;
  /** Operators' readers come in when the screen is shown: their tokens are not kept. */
  reader: 'nobody' | 'demo' | 'free';
  /** The operator by whose simulated subscriber the screen is seen, instead. */
  operator?: Platform;
  /** The browser says that it is one of Android's. */
  android?: true;
  /** Only where a finger is, or only where there is room. */
  only?: 'phone' | 'desktop';
  /** What is made to fail before the page is opened. */
  failing?: { url: RegExp; status: number };
  /** What is answered otherwise than it is, before the page is opened: members in the place of the answer's own. */
  altered?: { url: RegExp; members: object };
  /** What the browser may say of that. */
  complaints?: readonly RegExp[];
  /** What is done after the page stands. */
  open?: (page: Page, say: Say) => Promise<void>;
}

export const send = (key: string) => async (page: Page, say: Say) => {
  await page.getByRole('button', { name: say(key), exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
};

export const press = async (within: Page | Locator, name: string | RegExp) =>
  within
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click();

export const openMenu = (key: string) => async (page: Page, say: Say) => {
  await press(page, say(key));
  await expect(page.getByRole('menu')).toBeVisible();
};

export const beginOf = (text: string) => new RegExp(`^${text.replace(/\{\w+\}.*$/, '')}(?!all of |todo )`);

export const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;
