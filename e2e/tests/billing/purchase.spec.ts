import type { APIRequestContext, Page } from '@playwright/test';
import { createBillingClient } from '../../support/app/billing.ts';
import { createTranslate } from '../../support/app/messages.ts';
import { getFooter, getFullPlayer } from '../../support/app/player.ts';
import {
  choosePlan,
  getWidget,
  openPlans,
  payWithTestCard,
  submitTestCard,
} from '../../support/app/purchase.ts';
import { createUser, signIn, type TestUser } from '../../support/app/users.ts';
import { expectPlaying } from '../../support/audio/audio.ts';
import { statusError } from '../../support/console-errors.ts';
import { tabTo } from '../../support/input/keyboard.ts';
import { expect, test } from '../../support/test.ts';

const t = createTranslate('en');
const getPlansModal = (page: Page) => page.getByRole('dialog', { name: 'Listen to everything' });
const BACK_LABEL = 'Go back to app';

/** Waits until the purchase has succeeded and closes the widget. */
async function finishPurchase(page: Page) {
  const widget = getWidget(page, t);
  await expect(widget.getByRole('heading', { name: 'Purchase successful' })).toBeFocused();
  await expect(widget.getByText('Your plan is now active.')).toBeVisible();
  await widget.getByRole('button', { name: BACK_LABEL }).click();
  await expect(widget).toBeHidden();
}

async function signInAndLoad(page: Page, user: TestUser) {
  await signIn(page, user);
  await expect(getFooter(page)).toBeVisible();
}

test('[SUB-01] [BUY-02] [BUY-03] subscribes after a declined card, and the track plays', async ({
  page,
  request,
}) => {
  const user = await createUser(request);
  await signInAndLoad(page, user);
  const modal = await openPlans(page, t);
  await expect(modal.getByRole('radio', { name: /^Yearly/ })).toBeChecked();
  await expect(modal.getByText('3-day free trial · Saves 30%')).toBeVisible();
  await modal.getByRole('radio', { name: 'Six months' }).check();
  await expect(modal.getByText(/USD\s15/).first()).toBeVisible();
  await modal.getByRole('button', { name: 'Subscribe' }).click();

  const widget = getWidget(page, t);
  await expect(widget.getByText('Sandbox', { exact: true })).toBeVisible();
  await expect(widget.getByText('Renews every 6 months')).toBeVisible();
  await expect(widget.getByText(`Receipts go to ${user.email}`)).toBeVisible();
  await payWithTestCard(widget, t, 'checkout.cardDeclined');
  const card = widget.getByLabel('Card number');
  await expect(card).toBeFocused();
  await expect(card).toHaveAccessibleDescription('Your card was declined. Please use another card.');

  await submitTestCard(widget, t, 'checkout.cardSucceeds');
  await finishPurchase(page);
  await expect(getPlansModal(page)).toBeHidden();
  await expectPlaying(page);
  await expect(page.getByRole('button', { name: /needs a subscription$/ })).toHaveCount(0);
  await expect(getFullPlayer(page)).toBeHidden();
});

test('[SUB-01] [BUY-02] a plan is purchased by keyboard with visible focus', async ({ page, request }) => {
  const { keyboard } = page;
  await signInAndLoad(page, await createUser(request));
  await tabTo(page, page.getByRole('button', { name: /needs a subscription$/ }).first(), { limit: 200 });
  await keyboard.press('Enter');
  await tabTo(page, getPlansModal(page).getByRole('radio', { name: /^Yearly/ }));
  await keyboard.press('ArrowRight');
  await expect(getPlansModal(page).getByRole('radio', { name: 'Six months' })).toBeChecked();
  await tabTo(page, getPlansModal(page).getByRole('button', { name: 'Subscribe' }));
  await keyboard.press('Enter');

  const widget = getWidget(page, t);
  await expect(widget.getByLabel('Card number')).toBeFocused();
  await keyboard.type('4242 4242 4242 4242');
  await tabTo(page, widget.getByLabel('Expires (MM/YY)'));
  await keyboard.type('12/34');
  await tabTo(page, widget.getByLabel('Security code'));
  await keyboard.type('123');
  await keyboard.press('Enter');

  await expect(widget.getByRole('heading', { name: 'Purchase successful' })).toBeFocused();
  await tabTo(page, widget.getByRole('button', { name: BACK_LABEL }));
  await keyboard.press('Enter');
  await expect(widget).toBeHidden();
  await expectPlaying(page);
});

test('[BUY-07] a purchase closed halfway buys nothing and can be restarted', async ({ page, request }) => {
  await signInAndLoad(page, await createUser(request));
  const widget = await choosePlan(page, t, 'monthly');
  await expect(widget.getByLabel('Card number')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(widget).toBeHidden();
  await expect(getPlansModal(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(getPlansModal(page)).toBeHidden();

  const secondWidget = await choosePlan(page, t, 'yearly');
  await payWithTestCard(secondWidget, t, 'checkout.cardRequiresConfirmation');
  await secondWidget.getByRole('button', { name: 'Approve' }).click();
  await finishPurchase(page);
  await expectPlaying(page);
});

test('[BUY-07] a second purchase is reported as such, and access is granted', {
  tag: '@desktop-only',
}, async ({ page, context, request, consoleErrors }) => {
  consoleErrors.allow(statusError(409));
  await signInAndLoad(page, await createUser(request));
  const otherTab = await context.newPage();
  await otherTab.goto('/discover');
  await openPlans(otherTab, t);

  const widget = await choosePlan(page, t, 'yearly');
  await payWithTestCard(widget, t, 'checkout.cardSucceeds');
  await finishPurchase(page);

  await getPlansModal(otherTab).getByRole('button', { name: 'Subscribe' }).click();
  const otherWidget = getWidget(otherTab, t);
  await expect(otherWidget.getByRole('heading', { name: 'Already subscribed' })).toBeFocused();
  await expect(otherWidget.getByText('You are already subscribed to this product.')).toBeVisible();
  await otherWidget.getByRole('button', { name: BACK_LABEL }).click();
  await expect(otherWidget).toBeHidden();
  await expect(getPlansModal(otherTab)).toBeHidden();
  await expectPlaying(otherTab);
});

/** Subscribes a new user in the settings with a test card, and advances the clock to a day after the trial. */
async function subscribeAndEndTrial(
  page: Page,
  request: APIRequestContext,
  card: Parameters<typeof payWithTestCard>[2],
) {
  const user = await createUser(request);
  await signInAndLoad(page, user);
  const billing = await createBillingClient(page, request);
  await page.goto('/settings/subscription');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Subscribe' }).click();
  await payWithTestCard(main, t, card);
  await main.getByRole('button', { name: BACK_LABEL }).click();
  await expect(main.getByText(/^Free trial until/)).toBeVisible();
  await billing.advanceClock(4);
  return { user, billing, main };
}

test('[RCB-02] [SUB-07] a renewal that needs confirmation is confirmed in the settings', async ({
  page,
  request,
}) => {
  const { user, main } = await subscribeAndEndTrial(
    page,
    request,
    'checkout.cardRenewalsRequireConfirmation',
  );

  const findMails = async (): Promise<{ subject: string; text: string }[]> =>
    (await request.get('/outbox/messages', { params: { to: user.email } })).json();
  const findConfirmationMail = async () =>
    (await findMails()).find(({ subject }) => subject.startsWith('Please confirm'));
  await expect
    .poll(async () => (await findConfirmationMail())?.text ?? '')
    .toContain('/settings/subscription');
  await page.goto((await findConfirmationMail())?.text.match(/https?:\S+/)?.[0] ?? '');
  await expect(main.getByText(/^Your bank wants you to confirm your last payment\./)).toBeVisible();

  await main.getByRole('button', { name: 'Confirm payment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm payment' });
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await expect(dialog.getByText(/^Your bank did not confirm the payment/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(main.getByText(/^Renews on/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Receipts' }).getByRole('listitem')).toHaveCount(1);
});

test('[RCB-02] [SUB-07] a declined renewal is paid by the same card later', async ({ page, request }) => {
  const { billing, main } = await subscribeAndEndTrial(page, request, 'checkout.cardSucceeds');
  await billing.setChargeOutcome('failed');
  await billing.advanceClock(366);
  await page.reload();
  await expect(main.getByText(/^Your last payment did not go through\./)).toBeVisible();
  await main.getByRole('button', { name: 'Pay now' }).click();
  await expect(page.getByText('Your card was declined.')).toBeVisible();
  await billing.setChargeOutcome('succeeded');
  await main.getByRole('button', { name: 'Pay now' }).click();
  await expect(main.getByText(/^Renews on/)).toBeVisible();
  await expect(main.getByRole('button', { name: 'Pay now' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Receipts' }).getByRole('listitem')).toHaveCount(2);
});

test('[SUB-07] a card is replaced in the settings', async ({ page, request }) => {
  await signInAndLoad(page, await createUser(request));
  await page.goto('/settings/subscription');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Subscribe' }).click();
  await payWithTestCard(main, t, 'checkout.cardSucceeds');
  await main.getByRole('button', { name: BACK_LABEL }).click();
  await main.getByRole('button', { name: 'Change card' }).click();
  const form = page.getByRole('dialog', { name: 'Change card' });
  await form.getByText('Test cards').click();
  await form.getByRole('button', { name: 'Asks the bank first' }).click();
  await form.getByRole('button', { name: 'Use this card' }).click();
  await form.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Your plan is paid with the new card from now on.')).toBeVisible();
  await expect(form).toBeHidden();
});

test('[SUB-07] [BUY-01] a plan is purchased, changed, canceled and resumed in the settings', async ({
  page,
  request,
}) => {
  await signInAndLoad(page, await createUser(request));
  await page.goto('/settings/subscription');
  const main = page.getByRole('main');
  await main.getByRole('radio', { name: 'Monthly' }).check();
  await main.getByRole('button', { name: 'Subscribe' }).click();
  await payWithTestCard(main, t, 'checkout.cardSucceeds');
  await main.getByRole('button', { name: BACK_LABEL }).click();
  await expect(main.getByText(/^Free trial until .*; then USD\s3 per month\.$/)).toBeVisible();

  await main.getByRole('button', { name: 'Change plan' }).click();
  const change = page.getByRole('dialog', { name: 'Change your plan' });
  await change.getByRole('radio', { name: /^Yearly/ }).check();
  await change.getByRole('button', { name: 'Choose this plan' }).click();
  await expect(main.getByText(/^From the next renewal on: Yearly, USD\s27 per year\.$/)).toBeVisible();

  await main.getByRole('button', { name: 'Cancel plan' }).click();
  await page
    .getByRole('dialog', { name: 'Cancel your plan?' })
    .getByRole('button', { name: 'Cancel plan' })
    .click();
  await expect(main.getByText(/^Canceled\. Everything stays open until/)).toBeVisible();
  await main.getByRole('button', { name: 'Resume plan' }).click();
  await expect(main.getByText(/^Free trial until/)).toBeVisible();
  await expect(main.getByText('No payments yet.')).toBeVisible();
});
