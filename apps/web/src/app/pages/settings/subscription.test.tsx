import { api, type PurchasedSubscription } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '#shared/api/client.ts';
import { activeSubscription, ana, findButton, free, mockSignedInUser, renderApp } from '#testing/app.tsx';
import {
  billingConfig,
  canceled,
  half,
  mockBilling,
  mockSubscriber,
  openSettings,
  purchased,
  usd,
  withoutPlan,
  withPlan,
  yearly,
} from '#testing/billing.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockEndpoint } from '#testing/server.ts';

beforeEach(mockSubscriber);

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
    await openSettings(withPlan(changes));
    const normal = (words: string) => words.replace(/\s/g, ' ');
    expect(await screen.findByText((words) => normal(words) === text)).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Yearly' })).toBeInTheDocument();
  });

  it('[SUB-07] is canceled after a confirmation, and can be resumed', async () => {
    const { user } = await openSettings(withPlan());
    const cancels = mockEndpoint(api.subscription.cancelSubscription, withPlan(canceled));
    const resumes = mockEndpoint(api.subscription.resumeSubscription, withPlan());
    await user.click(await findButton('Cancel plan'));
    const dialog = () => within(screen.getByRole('dialog', { name: 'Cancel your plan?' }));
    expect(dialog().getByText(/stays open until 05 Mar 2027/)).toBeInTheDocument();
    await user.click(dialog().getByRole('button', { name: 'Keep plan' }));
    expect(cancels).toHaveLength(0);
    await user.click(await findButton('Cancel plan'));
    act(() => dialog().getByRole('button', { name: 'Cancel plan' }).focus());
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Canceled. Everything stays open until 05 Mar 2027.')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change plan' })).toHaveFocus());
    act(() => screen.getByRole('button', { name: 'Resume plan' }).focus());
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change card' })).toHaveFocus());
    expect([cancels.length, resumes.length]).toEqual([1, 1]);
  });

  it('[SUB-07] stays resumed when a request from before ends after that', async () => {
    const { user } = await openSettings(withPlan(canceled));
    await findButton('Resume plan');
    mockEndpoint(api.subscription.resumeSubscription, 'unavailable');
    const { promise: delay, resolve: respond } = createDeferred();
    const requests = mockEndpoint(api.subscription.findSubscription, withPlan(canceled), delay);
    await user.click(await findButton('Resume plan'));
    await waitFor(() => expect(requests).toHaveLength(1));
    mockEndpoint(api.subscription.resumeSubscription, withPlan());
    mockEndpoint(api.subscription.findSubscription, withPlan());
    await user.click(await findButton('Resume plan'));
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
    respond();
    // Answered after the one before.
    await act(() => call(api.subscription.findReceipts, {}));
    expect(screen.queryByText(/^Canceled\./)).not.toBeInTheDocument();
  });

  it('[SUB-07] is canceled at once if its renewal is unpaid', async () => {
    const owed = { billingIssueAt: '2026-11-20T00:00:00.000Z', graceEndsAt: '2026-11-27T00:00:00.000Z' };
    mockBilling();
    const { user } = await openSettings(withPlan({ ...owed, willRenew: false }));
    mockEndpoint(api.subscription.cancelSubscription, withoutPlan(free));
    await user.click(await findButton('Cancel plan'));
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel your plan?' }));
    expect(dialog.getByText(/^It ends at once/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Cancel plan' }));
    expect(await screen.findByText('Your plan has ended.')).toBeInTheDocument();
  });

  it('[SUB-07] does not show the next plan once it is canceled', async () => {
    await openSettings(withPlan({ ...canceled, nextPlan: half }));
    await screen.findByText('Canceled. Everything stays open until 05 Mar 2027.');
    expect(screen.queryByText(/From the next renewal on/)).not.toBeInTheDocument();
  });

  it('[SUB-07] can be changed from the next renewal on', async () => {
    const { user } = await openSettings(withPlan());
    const changes = mockEndpoint(api.subscription.changePlan, withPlan({ nextPlan: half }));
    await user.click(await findButton('Change plan'));
    const dialog = within(screen.getByRole('dialog', { name: 'Change your plan' }));
    expect(dialog.getByRole('radio', { name: /^Yearly/, checked: true })).toBeInTheDocument();
    expect(dialog.getByRole('radio', { name: /Your plan/, checked: true })).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Keep plan' })).toBeInTheDocument();
    await user.click(dialog.getByRole('radio', { name: /^Six months/ }));
    await user.click(dialog.getByRole('button', { name: 'Choose this plan' }));
    expect(await screen.findByText(/From the next renewal on: Six months/)).toBeInTheDocument();
    expect(changes[0]?.body).toEqual({ product: 'half' });
  });

  it('a refused change keeps the plan and shows an error', async () => {
    const { user } = await openSettings(withPlan());
    mockEndpoint(api.subscription.cancelSubscription, 'conflict');
    await user.click(await findButton('Cancel plan'));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel plan' }));
    expect(await screen.findByText('This was changed elsewhere in the meantime.')).toBeInTheDocument();
    expect(screen.getByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
  });

  it('[SUB-07] receipts are also shown once the plan has ended, if there are any', async () => {
    const ended = {
      _id: 'r1',
      paidAt: '2026-03-05T10:00:00.000Z',
      plan: yearly,
      paid: usd(2700),
      refunded: 0,
    };
    mockBilling();
    mockEndpoint(api.subscription.findReceipts, { docs: [ended] });
    await openSettings(withoutPlan(free));
    expect(await screen.findByRole('heading', { name: 'You listen for free' })).toBeInTheDocument();
    expect(screen.getByText(/^The newest article and one at your level are yours\./)).toBeInTheDocument();
    const list = within(await screen.findByRole('region', { name: 'Receipts' }));
    expect(list.getByText('05 Mar 2026')).toBeInTheDocument();
  });

  it('[SUB-07] receipts show date, plan, price and refund', async () => {
    mockEndpoint(api.subscription.findReceipts, {
      docs: [
        { _id: 'b', paidAt: '2026-03-05T00:00:00.000Z', plan: yearly, paid: usd(2700), refunded: 500 },
        { _id: 'a', paidAt: '2025-03-05T00:00:00.000Z', plan: half, paid: usd(1550), refunded: 0 },
      ],
    });
    await openSettings(withPlan());
    const list = within(await screen.findByRole('region', { name: 'Receipts' }));
    const lines = await list.findAllByRole('listitem');
    expect(lines.map((line) => line.textContent?.replace(/\s/g, ' '))).toEqual([
      '05 Mar 2026YearlyUSD 5 refundedUSD 27',
      '05 Mar 2025Six monthsUSD 15.50',
    ]);
  });
});

describe('the card gateway’s own page', () => {
  const portal = 'https://escucho.test/billing/manage?token=t';

  it('[SUB-07] is linked where there is one, and shows that it did not open', async () => {
    await openSettings({ ...withPlan(), managementUrl: portal }, '/settings/subscription?portal=closed');
    const link = await screen.findByRole('link', { name: 'Invoices and cards at Stripe' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([portal, null]);
    expect(screen.getByRole('alert')).toHaveTextContent(
      /^Stripe’s page did not open\. Please try again in a moment\.$/,
    );
  });

  it('[SUB-07] is not linked where there is none', async () => {
    await openSettings(withPlan());
    await findButton('Cancel plan');
    expect(screen.queryByRole('link', { name: /Stripe/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

it('[SUB-07] a subscription managed by another provider links there', async () => {
  const found = withoutPlan({ ...activeSubscription, expiresAt: purchased.endsAt });
  await openSettings({ ...found, managementUrl: 'https://pay.example/manage' });
  expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
  const link = await screen.findByRole('link', { name: 'Manage plan' });
  expect(link).toHaveAttribute('href', 'https://pay.example/manage');
});

it.each([
  [null, 'It is a gift, and does not end.'],
  ['2027-03-05T00:00:00.000Z', 'It is a gift, and ends on 05 Mar 2027.'],
])('[SUB-07] a granted subscription until %s shows its end', async (expiresAt, text) => {
  await openSettings(withoutPlan({ ...activeSubscription, store: 'promotional', expiresAt }));
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Cancel plan' })).not.toBeInTheDocument();
});

it('[BUY-01] without a plan, one is purchased and then managed in the page', async () => {
  mockBilling();
  mockSignedInUser(ana, free);
  const { user } = await openSettings(withoutPlan(free));
  await user.click(await findButton('Subscribe'));
  const page = within(screen.getByRole('main'));
  await page.findByLabelText('Card number');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await user.click(page.getByText('Test cards'));
  await user.click(page.getByRole('button', { name: /^4242 4242 4242 4242 ?Is accepted$/ }));
  mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
  mockEndpoint(api.subscription.findSubscription, withPlan({ isTrial: true }));
  await user.click(page.getByRole('button', { name: 'Pay' }));
  await user.click(await page.findByRole('button', { name: 'Go back to app' }));
  expect(await screen.findByText(/^Free trial until/)).toBeInTheDocument();
});

it('[SUB-07] after the purchase, nothing shows the free plan', async () => {
  mockBilling();
  mockSignedInUser(ana, free);
  const { user } = await openSettings(withoutPlan(free));
  const isFree = () => screen.queryByRole('heading', { name: 'You listen for free' }) !== null;
  await user.click(await findButton('Subscribe'));
  await user.click(await screen.findByText('Test cards'));
  await user.click(await findButton(/Is accepted$/));
  expect(screen.getByRole('heading', { level: 2, name: 'Subscribe: Yearly' })).toBeInTheDocument();
  mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
  const { promise: planUpdate, resolve: sendPlan } = createDeferred();
  const queries = mockEndpoint(api.subscription.findSubscription, withPlan({ isTrial: true }), planUpdate);
  await user.click(await findButton('Pay'));
  expect(await screen.findByRole('heading', { name: 'Purchase successful' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 2, name: 'Yearly' })).toBeInTheDocument();
  expect(isFree()).toBe(false);
  await user.click(await findButton('Go back to app'));
  await waitFor(() => expect(queries).toHaveLength(1));
  expect(isFree()).toBe(false);
  sendPlan();
  expect(await screen.findByText(/^Free trial until/)).toBeInTheDocument();
  expect(isFree()).toBe(false);
});

it('a plan that fails to load shows an error with a retry', async () => {
  mockEndpoint(api.subscription.findSubscription, 'not_found');
  const { user } = await renderApp('/settings/subscription', {}, { billing: billingConfig });
  expect(await screen.findByText('Your plan did not load. Nothing has changed.')).toBeInTheDocument();
  mockEndpoint(api.subscription.findSubscription, withPlan());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByText('Renews on 05 Mar 2027.')).toBeInTheDocument());
});

it('[SUB-07] the plan shows when it waits for the network and loads with it', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await openSettings(withPlan());
  expect(await screen.findByText('Your plan did not load. Nothing has changed.')).toBeInTheDocument();
  act(() => onlineManager.setOnline(true));
  expect(await screen.findByRole('heading', { name: 'Yearly' })).toBeInTheDocument();
  expect(screen.queryByText('Your plan did not load. Nothing has changed.')).not.toBeInTheDocument();
});

it('[SUB-07] receipts show when they wait for the network, and load with it', async () => {
  const { promise: delay, resolve: respond } = createDeferred();
  const requests = mockEndpoint(api.subscription.findSubscription, withPlan(), delay);
  await renderApp('/settings/subscription', {}, { billing: billingConfig });
  await waitFor(() => expect(requests).toHaveLength(1));
  act(() => onlineManager.setOnline(false));
  respond();
  const receipts = within(await screen.findByRole('region', { name: 'Receipts' }));
  expect(receipts.getByText('This did not load')).toBeInTheDocument();
  act(() => onlineManager.setOnline(true));
  expect(await receipts.findByText('No payments yet.')).toBeInTheDocument();
});
