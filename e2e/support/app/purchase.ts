import type { Locator, Page } from '@playwright/test';
import { expect } from '../browser.ts';
import type { MessageKey, Translate } from './messages.ts';

/** Returns the purchase widget over the page. */
export const getWidget = (page: Page, t: Translate): Locator =>
  page.getByRole('dialog', { name: new RegExp(`^${t('checkout.title', { plan: '' }).trim()}`) });

/** Presses play on a track that needs a subscription. Returns the modal with the plans. */
export async function openPlans(page: Page, t: Translate): Promise<Locator> {
  const locked = t('discover.playLocked', { title: '' }).split(',').at(-1) ?? '';
  await page
    .getByRole('button', { name: new RegExp(`,${locked}$`) })
    .first()
    .click();
  const modal = page.getByRole('dialog', { name: t('subscription.headline') });
  await expect(modal).toBeVisible();
  return modal;
}

/** Opens the plans and chooses one. Returns the purchase widget, which goes on to its card step. */
export async function choosePlan(
  page: Page,
  t: Translate,
  plan: 'yearly' | 'sixMonth' | 'monthly',
): Promise<Locator> {
  const modal = await openPlans(page, t);
  await modal.getByRole('radio', { name: new RegExp(`^${t(`subscription.${plan}`)}`) }).check();
  await modal.getByRole('button', { name: t('subscription.subscribe'), exact: true }).click();
  const widget = getWidget(page, t);
  await expect(widget).toBeVisible();
  return widget;
}

/** Opens the test cards of the sandbox and pays with one, by the message key of its behavior. */
export async function payWithTestCard(widget: Locator, t: Translate, card: MessageKey): Promise<void> {
  await widget.getByText(t('checkout.testCards')).click();
  await submitTestCard(widget, t, card);
}

/** Pays with one of the test cards that are shown. */
export async function submitTestCard(widget: Locator, t: Translate, card: MessageKey): Promise<void> {
  await widget.getByRole('button', { name: new RegExp(`${t(card)}$`) }).click();
  await widget.getByRole('button', { name: t('checkout.pay'), exact: true }).click();
}
