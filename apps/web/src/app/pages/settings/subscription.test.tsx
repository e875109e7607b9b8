import {
  api,
  type Plan,
  type PurchasedSubscription,
  type ResponseBody,
  type Subscription,
} from '@escucho/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { activeSubscription, ana, mockShellEndpoints, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { billingConfig, mockBilling } from '#testing/billing.ts';
import { mockEndpoint } from '#testing/server.ts';
import { mockStripe } from '#testing/stripe.ts';

type Found = ResponseBody<typeof api.subscription.findSubscription>;

const usd = (amount: number) => ({ amount, currency: 'USD' });
const yearly: Plan = { product: 'yearly', title: 'Escucho, yearly', price: usd(2700), period: 'P1Y' };
const half: Plan = { product: 'half', title: 'Escucho, six months', price: usd(1500), period: 'P6M' };
const purchased: PurchasedSubscription = {
  plan: yearly,
  isTrial: false,
  startedAt: '2026-03-05T00:00:00.000Z',
  periodStartedAt: '2026-03-05T00:00:00.000Z',
  endsAt: '2027-03-05T00:00:00.000Z',
  willRenew: true,
  unsubscribedAt: null,
  billingIssueAt: null,
  graceEndsAt: null,
  needsConfirmation: false,
  nextPlan: null,
  canCancel: true,
  canResume: false,
  canChangePlan: true,
};
const canceled: Partial<PurchasedSubscription> = {
  willRenew: false,
  unsubscribedAt: '2026-11-21T00:00:00.000Z',
  canCancel: false,
  canResume: true,
};
const free: Subscription = { isActive: false, store: null, willRenew: false, expiresAt: null };

const withPlan = (changes: Partial<PurchasedSubscription> = {}): Found => ({
  current: { ...purchased, ...changes },
  plans: [yearly, half],
  managementUrl: null,
  subscription: { ...activeSubscription, expiresAt: purchased.endsAt },
});
const withoutPlan = (subscription: Subscription): Found => ({
  current: null,
  plans: [yearly, half],
  managementUrl: null,
  subscription,
});

beforeEach(() => {
  mockSignedInUser(ana, activeSubscription);
  mockShellEndpoints();
  mockEndpoint(api.subscription.findReceipts, { docs: [] });
});

const open = async (found: Found, at = '/settings/subscription') => {
  mockEndpoint(api.subscription.findSubscription, found);
  return renderApp(at, {}, { billing: billingConfig });
};
const button = (name: string) => screen.findByRole('button', { name });

describe('a purchased plan', () => {
  it.each<[string, Partial<PurchasedSubscription>, string]>([
    ['renews', {}, 'Renews on 05 Mar 2027.'],
    ['is on trial', { isTrial: true }, 'Free trial until 05 Mar 2027; then USD 27 per year.'],
    [
      'is on trial, another plan chosen',
      { isTrial: true, nextPlan: half },
      'Free trial until 05 Mar 2027; then USD 15 every 6 months.',
    ],
    ['was canceled', canceled, 'Canceled. Everything stays open until 05 Mar 2027.'],
    [
      'could not be paid',
      { billingIssueAt: '2026-11-20T00:00:00.000Z', graceEndsAt: '2026-11-27T00:00:00.000Z' },
      'Your last payment did not go through. Everything stays open until 27 Nov 2026; please check your card.',
    ],
    [
      'has another one after it',
      { nextPlan: half },
      'From the next renewal on: Six months, USD 15 every 6 months.',
    ],
  ])('[SUB-07] a plan that %s shows its status', async (_, changes, text) => {
    await open(withPlan(changes));
    const normal = (words: string) => words.replace(/\s/g, ' ');
    expect(await screen.findByText((words) => normal(words) === text)).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Yearly' })).toBeTruthy();
  });

  it('[SUB-07] is canceled after a confirmation, and can be resumed', async () => {
    const { user } = await open(withPlan());
    const cancels = mockEndpoint(api.subscription.cancelSubscription, withPlan(canceled));
    const resumes = mockEndpoint(api.subscription.resumeSubscription, withPlan());
    await user.click(await button('Cancel plan'));
    const dialog = () => within(screen.getByRole('dialog', { name: 'Cancel your plan?' }));
    expect(dialog().getByText(/stays open until 05 Mar 2027/)).toBeTruthy();
    await user.click(dialog().getByRole('button', { name: 'Keep plan' }));
    expect(cancels).toHaveLength(0);
    await user.click(await button('Cancel plan'));
    await user.click(dialog().getByRole('button', { name: 'Cancel plan' }));
    expect(await screen.findByText('Canceled. Everything stays open until 05 Mar 2027.')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(await button('Resume plan'));
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeTruthy();
    expect([cancels.length, resumes.length]).toEqual([1, 1]);
  });

  it('[SUB-07] is canceled at once if its renewal is unpaid', async () => {
    const owed = { billingIssueAt: '2026-11-20T00:00:00.000Z', graceEndsAt: '2026-11-27T00:00:00.000Z' };
    const { user } = await open(withPlan({ ...owed, willRenew: false }));
    mockEndpoint(api.subscription.cancelSubscription, withoutPlan(free));
    await user.click(await button('Cancel plan'));
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel your plan?' }));
    expect(dialog.getByText(/^It ends at once/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel plan' }));
    expect(await screen.findByText('Your plan has ended.')).toBeTruthy();
  });

  it('[SUB-07] does not show the next plan once it is canceled', async () => {
    await open(withPlan({ ...canceled, nextPlan: half }));
    await screen.findByText('Canceled. Everything stays open until 05 Mar 2027.');
    expect(screen.queryByText(/From the next renewal on/)).toBeNull();
  });

  it('[SUB-07] can be changed from the next renewal on', async () => {
    const { user } = await open(withPlan());
    const changes = mockEndpoint(api.subscription.changePlan, withPlan({ nextPlan: half }));
    await user.click(await button('Change plan'));
    const dialog = within(screen.getByRole('dialog', { name: 'Change your plan' }));
    expect(dialog.getByRole('radio', { name: /^Yearly/, checked: true })).toBeTruthy();
    await user.click(dialog.getByRole('radio', { name: /^Six months/ }));
    await user.click(dialog.getByRole('button', { name: 'Choose this plan' }));
    expect(await screen.findByText(/From the next renewal on: Six months/)).toBeTruthy();
    expect(changes[0]?.body).toEqual({ product: 'half' });
  });

  it('a refused change keeps the plan and shows an error', async () => {
    const { user } = await open(withPlan());
    mockEndpoint(api.subscription.cancelSubscription, 'conflict');
    await user.click(await button('Cancel plan'));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel plan' }));
    expect(await screen.findByText('This was changed elsewhere in the meantime.')).toBeTruthy();
    expect(screen.getByText('Renews on 05 Mar 2027.')).toBeTruthy();
  });

  it('[SUB-07] receipts show date, plan, price and refund', async () => {
    mockEndpoint(api.subscription.findReceipts, {
      docs: [
        { _id: 'b', paidAt: '2026-03-05T00:00:00.000Z', plan: yearly, paid: usd(2700), refunded: 500 },
        { _id: 'a', paidAt: '2025-03-05T00:00:00.000Z', plan: half, paid: usd(1550), refunded: 0 },
      ],
    });
    await open(withPlan());
    const list = within(await screen.findByRole('region', { name: 'Receipts' }));
    const lines = await list.findAllByRole('listitem');
    expect(lines.map((line) => line.textContent?.replace(/\s/g, ' '))).toEqual([
      '05 Mar 2026YearlyUSD 5 refundedUSD 27',
      '05 Mar 2025Six monthsUSD 15.50',
    ]);
  });
});

const unpaid = {
  willRenew: false,
  billingIssueAt: '2026-11-20T00:00:00.000Z',
  graceEndsAt: '2026-11-27T00:00:00.000Z',
};
const unconfirmed: Partial<PurchasedSubscription> = { ...unpaid, needsConfirmation: true };
const sandbox = { clientSecret: 'secret-1', publishableKey: 'sandbox_publishable', accountId: 'sandbox' };
const paidPlan = { ...withPlan(), confirmation: null };
const withConfirmation = (keys = sandbox) => ({
  ...withPlan(unconfirmed),
  confirmation: { ...keys, card: 'pm_1' },
});

describe('a renewal that needs confirmation', () => {
  /** Opens the bank's confirmation. */
  async function openConfirmation(keys = sandbox) {
    const requests = mockBilling();
    const { user } = await open(withPlan(unconfirmed));
    mockEndpoint(api.subscription.payRenewal, withConfirmation(keys));
    expect(await screen.findByText(/^Your bank wants you to confirm .* until 27 Nov 2026\.$/)).toBeTruthy();
    await user.click(await button('Confirm payment'));
    return { user, requests, dialog: within(await screen.findByRole('dialog', { name: 'Confirm payment' })) };
  }

  it('[SUB-07] is confirmed in the settings, then the plan renews', async () => {
    const { user, requests, dialog } = await openConfirmation();
    expect(dialog.getByText('Do you allow this payment for your plan?')).toBeTruthy();
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(dialog.getByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeTruthy();
    expect(requests.find(({ path }) => path === '/sandbox/authenticate')?.body).toEqual({
      client_secret: 'secret-1',
      outcome: 'succeeded',
    });
    expect(screen.getByText('Your payment went through.')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('[SUB-07] that the bank refuses shows an error, and can be retried or closed', async () => {
    const { user, dialog } = await openConfirmation();
    await user.click(dialog.getByRole('button', { name: 'Refuse' }));
    expect((await dialog.findByRole('alert')).textContent).toMatch(/did not confirm the payment/);
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(await button('Confirm payment')).toBeTruthy();
  });

  it('[SUB-07] is confirmed in Stripe’s frame if the card is Stripe’s', async () => {
    const stripe = mockStripe(async () => ({}));
    await openConfirmation({ clientSecret: 'pi_1_secret', publishableKey: 'pk_test_1', accountId: 'acct_1' });
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeTruthy();
    expect(stripe.payments).toEqual([['pi_1_secret', { payment_method: 'pm_1' }]]);
  });

  it('[SUB-07] that was paid in the meantime needs no confirmation', async () => {
    mockBilling();
    const { user } = await open(withPlan(unconfirmed));
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(await button('Confirm payment'));
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeTruthy();
  });
});

describe('a renewal that was refused', () => {
  it('[SUB-07] is paid by the same card on another attempt', async () => {
    mockBilling();
    const { user } = await open(withPlan(unpaid));
    const payments = mockEndpoint(api.subscription.payRenewal, { ...withPlan(unpaid), confirmation: null });
    await user.click(await button('Pay now'));
    expect(await screen.findByText('Your card was declined.')).toBeTruthy();
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(await button('Pay now'));
    expect(await screen.findByText('Your payment went through.')).toBeTruthy();
    expect(payments).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Pay now' })).toBeNull();
  });

  it('[SUB-07] that now needs confirmation opens the confirmation', async () => {
    mockBilling();
    const { user } = await open(withPlan(unpaid));
    mockEndpoint(api.subscription.payRenewal, withConfirmation());
    await user.click(await button('Pay now'));
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeTruthy();
  });

  it('[SUB-07] cannot be paid once the plan is canceled', async () => {
    await open(withPlan({ ...unpaid, ...canceled }));
    await button('Resume plan');
    expect(screen.queryByRole('button', { name: 'Pay now' })).toBeNull();
  });
});

describe('the card gateway’s own page', () => {
  const portal = 'https://escucho.test/billing/manage?token=t';

  it('[SUB-07] is linked where there is one, and shows that it did not open', async () => {
    await open({ ...withPlan(), managementUrl: portal }, '/settings/subscription?portal=closed');
    const link = await screen.findByRole('link', { name: 'Invoices and cards at Stripe' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([portal, null]);
    expect(screen.getByRole('alert').textContent).toBe(
      'Stripe’s page did not open. Please try again in a moment.',
    );
  });

  it('[SUB-07] is not linked where there is none', async () => {
    await open(withPlan());
    await button('Cancel plan');
    expect(screen.queryByRole('link', { name: /Stripe/ })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('another card', () => {
  /** Opens the card form. */
  async function openCardForm(changes: Partial<PurchasedSubscription> = {}) {
    const requests = mockBilling();
    const { user } = await open(withPlan(changes));
    mockEndpoint(api.subscription.createCardSetup, { ...sandbox, setup: 'setup-1' });
    await user.click(await button('Change card'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change card' }));
    await user.click(await dialog.findByText('Test cards'));
    const use = async (card: string) => {
      await user.click(dialog.getByRole('button', { name: `Use the card: ${card}` }));
      await user.click(dialog.getByRole('button', { name: 'Use this card' }));
    };
    return { user, requests, dialog, use };
  }

  it('[SUB-07] replaces the card by a form in the settings', async () => {
    const { requests, use } = await openCardForm();
    const replacements = mockEndpoint(api.subscription.replaceCard, paidPlan);
    await use('Asks the bank at each renewal');
    expect(await screen.findByText('Your plan is paid with the new card from now on.')).toBeTruthy();
    expect(replacements[0]?.body).toEqual({ setup: 'setup-1' });
    expect(requests.find(({ path }) => path === '/sandbox/confirm')?.body).toEqual({
      client_secret: 'secret-1',
      outcome: 'succeeded',
      charges: 'authentication_required',
    });
  });

  it('[SUB-07] pays an unpaid renewal, after a confirmation if the bank requires it', async () => {
    const { user, dialog, use } = await openCardForm(unpaid);
    mockEndpoint(api.subscription.replaceCard, withConfirmation());
    await use('Asks the bank at each renewal');
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(await dialog.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Your payment went through.')).toBeTruthy();
  });

  it.each([
    ['is declined as it is taken', withPlan(unpaid), 'Your card was declined.'],
    ['is not there in the end', 'conflict', 'This was changed elsewhere in the meantime.'],
  ] as const)('[SUB-07] that %s shows an error', async (_, reply, text) => {
    const { dialog, use } = await openCardForm(unpaid);
    const { confirmation } = paidPlan;
    mockEndpoint(api.subscription.replaceCard, reply === 'conflict' ? reply : { ...reply, confirmation });
    await use('Is accepted');
    expect((await dialog.findByRole('alert')).textContent).toBe(text);
  });

  it('[SUB-07] that the form refuses shows an error, and another can be entered', async () => {
    const { user, dialog, use } = await openCardForm();
    await use('Is declined');
    expect((await dialog.findByRole('alert')).textContent).toBe('Your card was declined.');
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
  });
});

it('[SUB-07] a subscription managed by another provider links there', async () => {
  const found = withoutPlan({ ...activeSubscription, expiresAt: purchased.endsAt });
  await open({ ...found, managementUrl: 'https://pay.example/manage' });
  expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeTruthy();
  const link = await screen.findByRole('link', { name: 'Manage plan' });
  expect(link.getAttribute('href')).toBe('https://pay.example/manage');
});

it.each([
  [null, 'It is a gift, and does not end.'],
  ['2027-03-05T00:00:00.000Z', 'It is a gift, and ends on 05 Mar 2027.'],
])('[SUB-07] a granted subscription until %s shows its end', async (expiresAt, text) => {
  await open(withoutPlan({ ...activeSubscription, store: 'promotional', expiresAt }));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel plan' })).toBeNull();
});

it('[BUY-01] without a plan, one is purchased and then managed in the page', async () => {
  mockBilling();
  mockSignedInUser(ana, free);
  const { user } = await open(withoutPlan(free));
  await user.click(await button('Subscribe'));
  const page = within(screen.getByRole('main'));
  await user.click(await page.findByRole('button', { name: 'Continue' }));
  await page.findByLabelText('Card number');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(page.getByText('Test cards'));
  await user.click(page.getByRole('button', { name: 'Use the card: Is accepted' }));
  mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
  mockEndpoint(api.subscription.findSubscription, withPlan({ isTrial: true }));
  await user.click(page.getByRole('button', { name: 'Pay' }));
  await user.click(await page.findByRole('button', { name: 'Go back to app' }));
  expect(await screen.findByText(/^Free trial until/)).toBeTruthy();
});

it('[SUB-07] after the purchase, nothing shows the free plan', async () => {
  mockBilling();
  mockSignedInUser(ana, free);
  const { user } = await open(withoutPlan(free));
  const isFree = () => screen.queryByRole('heading', { name: 'You listen for free' }) !== null;
  await user.click(await button('Subscribe'));
  await user.click(await button('Continue'));
  await user.click(await screen.findByText('Test cards'));
  await user.click(await button('Use the card: Is accepted'));
  expect(screen.getByRole('heading', { level: 2, name: 'Subscribe: Yearly' })).toBeTruthy();
  mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
  let tell = () => undefined;
  const planUpdate = new Promise<void>((resolve) => {
    tell = () => void resolve();
  });
  const queries = mockEndpoint(api.subscription.findSubscription, withPlan({ isTrial: true }), planUpdate);
  await user.click(await button('Pay'));
  expect(await screen.findByRole('heading', { name: 'Purchase successful' })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 2, name: 'Yearly' })).toBeTruthy();
  expect(isFree()).toBe(false);
  await user.click(await button('Go back to app'));
  await waitFor(() => expect(queries).toHaveLength(1));
  expect(isFree()).toBe(false);
  tell();
  expect(await screen.findByText(/^Free trial until/)).toBeTruthy();
  expect(isFree()).toBe(false);
});

it('a plan that fails to load shows an error with a retry', async () => {
  mockEndpoint(api.subscription.findSubscription, 'not_found');
  const { user } = await renderApp('/settings/subscription', {}, { billing: billingConfig });
  expect(await screen.findByText('Your plan did not load. Nothing has changed.')).toBeTruthy();
  mockEndpoint(api.subscription.findSubscription, withPlan());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByText('Renews on 05 Mar 2027.')).toBeTruthy());
});
