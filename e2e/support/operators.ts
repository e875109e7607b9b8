import { expect, type Page } from '@playwright/test';
import type { Platform } from '../../packages/contracts/src/index.ts';

/** The kinds of the simulator's test subscribers, as their places on an operator's page. */
const places = { active: 0, expired: 1, unknown: 2, slow: 3, failing: 4 } as const;
export type Kind = keyof typeof places;

/** The link of an operator's test subscriber, as the simulator's page has it. */
export async function linkOf(page: Page, operator: Platform, kind: Kind = 'active'): Promise<string> {
  await page.goto(`/operators/${operator}`);
  const link = page.getByRole('main').getByRole('listitem').nth(places[kind]).getByRole('link');
  return (await link.getAttribute('href')) ?? '';
}

/** Goes on in the browser where the browser is one of Android's, which is asked first (EXT-03). */
export async function goOn(page: Page): Promise<void> {
  // Not at one moment: the page may be on its way to another.
  const asked = await page.waitForFunction(() => (/android/i.test(navigator.userAgent) ? 'yes' : 'no'));
  if ((await asked.jsonValue()) === 'yes') await page.getByRole('dialog').getByRole('button').last().click();
}

/** Comes in as the active subscriber of an operator, and waits for Discover. */
export async function enterByOperator(page: Page, operator: Platform): Promise<void> {
  await page.goto(await linkOf(page, operator));
  await goOn(page);
  await expect(page).toHaveURL('/discover');
}
