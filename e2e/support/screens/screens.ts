import type { Page } from '@playwright/test';
import type { Language, Theme, Translate } from '../app/messages.ts';
import { signInByOperator } from '../app/operators.ts';
import { expect } from '../browser.ts';
import { accountScreens } from './account-screens.ts';
import { authScreens } from './auth-screens.ts';
import { catalogueScreens } from './catalogue-screens.ts';
import { playerScreens } from './player-screens.ts';
import { purchaseScreens } from './purchase-screens.ts';
import type { Screen } from './screen.ts';

export const screens: readonly Screen[] = [
  ...authScreens,
  ...catalogueScreens,
  ...accountScreens,
  ...playerScreens,
  ...purchaseScreens,
];

/**
 * Stores the theme and the language as an earlier visit does, in every document that the page opens from now on.
 *
 * @returns What ends it, for a page that is used again.
 */
export async function setPreferences(
  page: Page,
  colorMode: Theme,
  language: Language,
): Promise<{ dispose: () => Promise<void> }> {
  const state = JSON.stringify({ state: { colorMode, language }, version: 1 });
  // Pages rendered by a service use the browser's language.
  await page.setExtraHTTPHeaders({ 'accept-language': language });
  await page.emulateMedia({ colorScheme: colorMode });
  return page.addInitScript((value) => {
    // The frame of the tag manager has no storage.
    if (window.top === window) localStorage.setItem('config-storage', value);
  }, state);
}

/** Opens a screen and waits until its content, fonts and visible images are loaded. */
export async function openScreen(page: Page, screen: Screen, t: Translate): Promise<void> {
  const { failedRequest, overriddenResponse } = screen;
  if (failedRequest) {
    const json = { __type: 'NotAuthorizedException', message: 'Incorrect username or password.' };
    await page.route(failedRequest.url, (route) => route.fulfill({ status: failedRequest.status, json }));
  }
  if (overriddenResponse) {
    await page.route(overriddenResponse.url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...overriddenResponse.members } });
    });
  }
  if (screen.operator) await signInByOperator(page, screen.operator);
  await page.goto(screen.path);
  await expect(page.getByRole('heading').first()).toBeVisible();
  if (failedRequest?.status === 503) await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  // Enabled once the configuration has loaded.
  if (screen.path === '/auth/sign-in')
    await expect(page.getByRole('button', { name: t('session.withGoogle') })).toBeEnabled();
  await screen.open?.(page, t);
  await page.evaluate(() => document.fonts.ready);
  // An element in a transition has the contrast of its start.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
  // A loaded image is painted once it is decoded, which takes time on a busy machine.
  await page.evaluate(async () => {
    const visible = [...document.images].filter((image) => {
      const { top, bottom, left, right } = image.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    });
    await Promise.all(visible.map((image) => image.decode().catch(() => undefined)));
  });
}
