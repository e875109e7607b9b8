import type { APIRequestContext, Page } from '@playwright/test';
import { billingOf, readerOf } from '../support/billing.ts';
import { tabTo } from '../support/keys.ts';
import { answered } from '../support/noise.ts';
import { footer, fullPlayer } from '../support/player.ts';
import { askForPlans, choosePlan, giveEmail, payWith, widgetOf } from '../support/purchase.ts';
import { newReader, type Reader, signIn } from '../support/readers.ts';
import { expectSounding } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';
import { wordsOf } from '../support/words.ts';

const say = wordsOf('en');
const plans = (page: Page) => page.getByRole('dialog', { name: 'Listen to everything' });
const back = 'Go back to app';

/** Waits until the purchase is made, and goes back. */
async function succeed(page: Page) {
  const widget = widgetOf(page, say);
  await expect(widget.getByRole('heading', { name: 'Purchase successful' })).toBeFocused();
  await expect(widget.getByText('Your plan is now active.')).toBeVisible();
  await widget.getByRole('button', { name: back }).click();
  await expect(widget).toBeHidden();
}

async function openAs(page: Page, reader: Reader) {
  await signIn(page, reader);
  await expect(footer(page)).toBeVisible();
}

test('[SUB-01] [BUY-02] [BUY-03] subscribes after a declined card, and the track plays', async ({
  page,
  request,
}) => {
  const reader = await newReader(request);
  await openAs(page, reader);
  const modal = await askForPlans(page, say);
  await expect(modal.getByRole('radio', { name: /^Yearly/ })).toBeChecked();
  await expect(modal.getByText('3-day free trial · Saves 30%')).toBeVisible();
  await modal.getByRole('radio', { name: 'Six months' }).check();
  await expect(modal.getByText(/USD\s15/)).toBeVisible();
  await modal.getByRole('button', { name: 'Subscribe' }).click();

  const widget = widgetOf(page, say);
  await expect(widget.getByText('Sandbox', { exact: true })).toBeVisible();
  await expect(widget.getByText('Renews every 6 months')).toBeVisible();
  const email = widget.getByLabel('Email', { exact: true });
  await expect(email).toBeFocused();
  await expect(email).toHaveValue(reader.email);
  await giveEmail(widget, say);
  await payWith(widget, say, 'checkout.cardDeclined');
  await expect(widget.getByRole('heading', { name: 'Something went wrong' })).toBeFocused();
  await expect(widget.getByText('Your card was declined.')).toBeVisible();
  await expect(widget.getByText('If this error persists, please contact')).toBeVisible();

  await widget.getByRole('button', { name: 'Try again' }).click();
  await payWith(widget, say, 'checkout.cardSucceeds');
  await succeed(page);
  await expect(plans(page)).toBeHidden();
  await expectSounding(page);
  await expect(page.getByRole('button', { name: /needs a subscription$/ })).toHaveCount(0);
  await expect(fullPlayer(page)).toBeHidden();
});

test('[SUB-01] [BUY-02] a plan is purchased by keyboard with visible focus', async ({ page, request }) => {
  test.setTimeout(120_000);
  const { keyboard } = page;
  await openAs(page, await newReader(request));
  await tabTo(page, page.getByRole('button', { name: /needs a subscription$/ }).first(), 200);
  await keyboard.press('Enter');
  await tabTo(page, plans(page).getByRole('radio', { name: /^Yearly/ }));
  await keyboard.press('ArrowRight');
  await expect(plans(page).getByRole('radio', { name: 'Six months' })).toBeChecked();
  await tabTo(page, plans(page).getByRole('button', { name: 'Subscribe' }));
  await keyboard.press('Enter');

  const widget = widgetOf(page, say);
  await expect(widget.getByLabel('Email', { exact: true })).toBeFocused();
  await tabTo(page, widget.getByRole('button', { name: 'Continue' }));
  await keyboard.press('Enter');
  await expect(widget.getByLabel('Card number')).toBeFocused();
  await keyboard.type('4242 4242 4242 4242');
  await tabTo(page, widget.getByLabel('Expires (MM/YY)'));
  await keyboard.type('12/34');
  await tabTo(page, widget.getByLabel('Security code'));
  await keyboard.type('123');
  await keyboard.press('Enter');

  await expect(widget.getByRole('heading', { name: 'Purchase successful' })).toBeFocused();
  await tabTo(page, widget.getByRole('button', { name: back }));
  await keyboard.press('Enter');
  await expect(widget).toBeHidden();
  await expectSounding(page);
});

test('[BUY-07] a purchase closed halfway buys nothing and can be restarted', async ({ page, request }) => {
  await openAs(page, await newReader(request));
  const widget = await choosePlan(page, say, 'monthly');
  await giveEmail(widget, say);
  await expect(widget.getByLabel('Card number')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(widget).toBeHidden();
  await expect(plans(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(plans(page)).toBeHidden();

  const again = await choosePlan(page, say, 'yearly');
  await giveEmail(again, say);
  await payWith(again, say, 'checkout.cardRequiresConfirmation');
  await again.getByRole('button', { name: 'Approve' }).click();
  await succeed(page);
  await expectSounding(page);
});

test('[BUY-07] a second purchase is reported as such, and access is granted', async ({
  page,
  context,
  request,
  noise,
}) => {
  noise.allow(answered(409));
  await openAs(page, await newReader(request));
  const other = await context.newPage();
  await other.goto('/discover');
  await askForPlans(other, say);

  const widget = await choosePlan(page, say, 'yearly');
  await giveEmail(widget, say);
  await payWith(widget, say, 'checkout.cardSucceeds');
  await succeed(page);

  await plans(other).getByRole('button', { name: 'Subscribe' }).click();
  const second = widgetOf(other, say);
  await giveEmail(second, say);
  await expect(second.getByRole('heading', { name: 'Already subscribed' })).toBeFocused();
  await expect(second.getByText('You are already subscribed to this product.')).toBeVisible();
  await second.getByRole('button', { name: back }).click();
  await expect(second).toBeHidden();
  await expect(plans(other)).toBeHidden();
  await expectSounding(other);
});

/** A reader who subscribed in the settings, a day after the trial. In: which test card. */
async function afterTrial(page: Page, request: APIRequestContext, card: Parameters<typeof payWith>[2]) {
  const reader = await newReader(request);
  await openAs(page, reader);
  const billing = await billingOf(request, await readerOf(page));
  await page.goto('/settings/subscription');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Subscribe' }).click();
  await giveEmail(main, say);
  await payWith(main, say, card);
  await main.getByRole('button', { name: back }).click();
  await expect(main.getByText(/^Free trial until/)).toBeVisible();
  await billing.advance(4);
  return { reader, billing, main };
}

test('[RCB-02] [SUB-07] a renewal that needs confirmation is confirmed in the settings', async ({
  page,
  request,
}) => {
  const { reader, main } = await afterTrial(page, request, 'checkout.cardRenewalsRequireConfirmation');

  const letters = async (): Promise<{ subject: string; text: string }[]> =>
    (await request.get('/outbox/messages', { params: { to: reader.email } })).json();
  const asking = async () => (await letters()).find(({ subject }) => subject.startsWith('Please confirm'));
  await expect.poll(async () => (await asking())?.text ?? '').toContain('/settings/subscription');
  await page.goto((await asking())?.text.match(/https?:\S+/)?.[0] ?? '');
  await expect(main.getByText(/^Your bank wants you to confirm your last payment\./)).toBeVisible();

  await main.getByRole('button', { name: 'Confirm payment' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm payment' });
  await question.getByRole('button', { name: 'Refuse' }).click();
  await expect(question.getByText(/^Your bank did not confirm the payment/)).toBeVisible();
  await question.getByRole('button', { name: 'Try again' }).click();
  await question.getByRole('button', { name: 'Approve' }).click();
  await expect(main.getByText(/^Renews on/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Receipts' }).getByRole('listitem')).toHaveCount(1);
});

test('[RCB-02] [SUB-07] a declined renewal is paid by the same card later', async ({ page, request }) => {
  const { billing, main } = await afterTrial(page, request, 'checkout.cardSucceeds');
  await billing.charges('failed');
  await billing.advance(366);
  await page.reload();
  await expect(main.getByText(/^Your last payment did not go through\./)).toBeVisible();
  await main.getByRole('button', { name: 'Pay now' }).click();
  await expect(page.getByText('Your card was declined.')).toBeVisible();
  await billing.charges('succeeded');
  await main.getByRole('button', { name: 'Pay now' }).click();
  await expect(main.getByText(/^Renews on/)).toBeVisible();
  await expect(main.getByRole('button', { name: 'Pay now' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Receipts' }).getByRole('listitem')).toHaveCount(2);
});

test('[SUB-07] a card is replaced in the settings', async ({ page, request }) => {
  await openAs(page, await newReader(request));
  await page.goto('/settings/subscription');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Subscribe' }).click();
  await giveEmail(main, say);
  await payWith(main, say, 'checkout.cardSucceeds');
  await main.getByRole('button', { name: back }).click();
  await main.getByRole('button', { name: 'Change card' }).click();
  const form = page.getByRole('dialog', { name: 'Change card' });
  await form.getByText('Test cards').click();
  await form.getByRole('button', { name: 'Use the card: Asks the bank first' }).click();
  await form.getByRole('button', { name: 'Use this card' }).click();
  await form.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Your plan is paid with the new card from now on.')).toBeVisible();
  await expect(form).toBeHidden();
});

test('[SUB-07] [BUY-01] a plan is purchased, changed, canceled and resumed in the settings', async ({
  page,
  request,
}) => {
  await openAs(page, await newReader(request));
  await page.goto('/settings/subscription');
  const main = page.getByRole('main');
  await main.getByRole('radio', { name: 'Monthly' }).check();
  await main.getByRole('button', { name: 'Subscribe' }).click();
  await giveEmail(main, say);
  await payWith(main, say, 'checkout.cardSucceeds');
  await main.getByRole('button', { name: back }).click();
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
