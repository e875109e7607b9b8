import type { Page } from '@playwright/test';
import type { Platform } from '../../../packages/contracts/src/index.ts';
import { expect } from '../browser.ts';

/** The simulated subscribers, in the order of an operator's page. */
const subscribers = ['active', 'expired', 'unknown', 'slow', 'failing'] as const;
export type Subscriber = (typeof subscribers)[number];

/** Returns the sign-in link of a simulated subscriber. */
export async function getSubscriberLink(
  page: Page,
  operator: Platform,
  subscriber: Subscriber = 'active',
): Promise<string> {
  await page.goto(`/operators/${operator}`);
  const row = page.getByRole('main').getByRole('listitem').nth(subscribers.indexOf(subscriber));
  return (await row.getByRole('link').getAttribute('href')) ?? '';
}

/** Confirms the dialog that Android browsers show before the sign-in continues (EXT-03). */
export async function continueInBrowser(page: Page): Promise<void> {
  // Survives a navigation, unlike `evaluate`.
  const isAndroid = await page.waitForFunction(() => (/android/i.test(navigator.userAgent) ? 'yes' : 'no'));
  if ((await isAndroid.jsonValue()) === 'yes')
    await page.getByRole('dialog').getByRole('button').last().click();
}

/** Signs in as the active subscriber of an operator and waits for Discover. */
export async function signInByOperator(page: Page, operator: Platform): Promise<void> {
  await page.goto(await getSubscriberLink(page, operator));
  await continueInBrowser(page);
  await expect(page).toHaveURL('/discover');
}
