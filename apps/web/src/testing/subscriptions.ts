import {
  api,
  type Plan,
  type PurchasedSubscription,
  type ResponseBody,
  type Subscription,
} from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { activeSubscription, ana, mockShellEndpoints, mockSignedInUser, renderApp } from './app.tsx';
import { billingConfig } from './billing.ts';
import { mockEndpoint } from './server.ts';

type Found = ResponseBody<typeof api.subscription.findSubscription>;

export const usd = (amount: number) => ({ amount, currency: 'USD' });
export const yearly: Plan = { product: 'yearly', title: 'Escucho, yearly', price: usd(2700), period: 'P1Y' };
export const half: Plan = { product: 'half', title: 'Escucho, six months', price: usd(1500), period: 'P6M' };
export const purchased: PurchasedSubscription = {
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
export const canceled: Partial<PurchasedSubscription> = {
  willRenew: false,
  unsubscribedAt: '2026-11-21T00:00:00.000Z',
  canCancel: false,
  canResume: true,
};
export const free: Subscription = { isActive: false, store: null, willRenew: false, expiresAt: null };

/** Returns the response of the plan page for a user with a plan. */
export const withPlan = (changes: Partial<PurchasedSubscription> = {}): Found => ({
  current: { ...purchased, ...changes },
  plans: [yearly, half],
  managementUrl: null,
  subscription: { ...activeSubscription, expiresAt: purchased.endsAt },
});
/** Returns the response of the plan page for a user without a plan. */
export const withoutPlan = (subscription: Subscription): Found => ({
  current: null,
  plans: [yearly, half],
  managementUrl: null,
  subscription,
});

export const unpaid = {
  willRenew: false,
  billingIssueAt: '2026-11-20T00:00:00.000Z',
  graceEndsAt: '2026-11-27T00:00:00.000Z',
};
export const unconfirmed: Partial<PurchasedSubscription> = { ...unpaid, needsConfirmation: true };
export const sandbox = {
  clientSecret: 'secret-1',
  publishableKey: 'sandbox_publishable',
  accountId: 'sandbox',
};
export const paidPlan = { ...withPlan(), confirmation: null };
/** Returns the response for a renewal that the bank wants confirmed. */
export const withConfirmation = (keys = sandbox) => ({
  ...withPlan(unconfirmed),
  confirmation: { ...keys, card: 'pm_1' },
});

/** Mocks a subscriber without receipts. */
export function mockSubscriber(): void {
  mockSignedInUser(ana, activeSubscription);
  mockShellEndpoints();
  mockEndpoint(api.subscription.findReceipts, { docs: [] });
}

/** Renders the subscription settings. */
export function openSettings(found: Found, url = '/settings/subscription') {
  mockEndpoint(api.subscription.findSubscription, found);
  return renderApp(url, {}, { billing: billingConfig });
}

export const findButton = (name: string) => screen.findByRole('button', { name });
