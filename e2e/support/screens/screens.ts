import { expect, type Page } from '@playwright/test';
import { enterByOperator } from '../operators.ts';
import { purchaseScreens } from '../purchase.ts';
import type { Language, Say, Theme } from '../words.ts';
import { catalogueScreens } from './catalogue-screens.ts';
import { cornerScreens } from './corner-screens.ts';
import { doorScreens } from './door-screens.ts';
import { playerScreens } from './player-screens.ts';
import type { Screen } from './screen.ts';

/** Every screen, with what can stand open on it. */
export const screens: readonly Screen[] = [
  ...doorScreens,
  ...catalogueScreens,
  ...cornerScreens,
  ...playerScreens,
  ...purchaseScreens,
];

/** Chooses theme and language the way a former visit would have left them. To be called before the first page. */
export async function choose(page: Page, colorMode: Theme, language: Language): Promise<void> {
  const state = JSON.stringify({ state: { colorMode, language }, version: 1 });
  await page.addInitScript((kept) => localStorage.setItem('config-storage', kept), state);
  // Pages that a service makes go by what the browser asks for.
  await page.setExtraHTTPHeaders({ 'accept-language': language });
  await page.emulateMedia({ colorScheme: colorMode });
}

/** Brings a screen before the reader, at rest: its content there, its fonts and pictures loaded. */
export async function show(page: Page, screen: Screen, say: Say): Promise<void> {
  const { failing, altered } = screen;
  if (failing) {
    const fault = { __type: 'NotAuthorizedException', message: 'Incorrect username or password.' };
    await page.route(failing.url, (route) => route.fulfill({ status: failing.status, json: fault }));
  }
  if (altered) {
    await page.route(altered.url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...altered.members } });
    });
  }
  if (screen.android)
    await page.addInitScript(
      "Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (Linux; Android 14)' })",
    );
  if (screen.operator) await enterByOperator(page, screen.operator);
  await page.goto(screen.path);
  // A query that fails is asked again for some seconds before the page says so.
  await expect(page.getByRole('heading').first()).toBeVisible({ timeout: 20_000 });
  if (failing?.status === 503) await expect(page.getByRole('alert').first()).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await screen.open?.(page, say);
  await page.evaluate(() => document.fonts.ready);
  // A picture that has come is drawn once it is decoded, which is later on a busy machine.
  await page.evaluate(async () => {
    const seen = [...document.images].filter((image) => {
      const { top, bottom, left, right } = image.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    });
    await Promise.all(seen.map((image) => image.decode().catch(() => undefined)));
  });
}
