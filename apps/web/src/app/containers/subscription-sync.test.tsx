import { api, type User } from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { activeSubscription, ana, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { billingConfig, billingEndpoints, emptyCustomerJson, mockBilling } from '#testing/billing.ts';
import { mockIdentity } from '#testing/identity.ts';
import { mockEndpoint } from '#testing/server.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));

/** The subscriber info of Ana while she has a subscription. */
const subscriberJson = {
  ...emptyCustomerJson,
  subscriber: {
    ...emptyCustomerJson.subscriber,
    entitlements: {
      premium: {
        expires_date: null,
        purchase_date: emptyCustomerJson.request_date,
        product_identifier: 'yearly',
      },
    },
    subscriptions: {
      yearly: {
        expires_date: null,
        purchase_date: emptyCustomerJson.request_date,
        store: 'rc_billing',
        original_purchase_date: emptyCustomerJson.request_date,
        unsubscribe_detected_at: null,
        billing_issues_detected_at: null,
        is_sandbox: true,
        period_type: 'normal',
      },
    },
  },
};

describe('the subscription sync', () => {
  it('[SUB-02] [SUB-03] polls by user id every 30 minutes; a difference refreshes the portal’s', async () => {
    mockSignedInUser(ana, activeSubscription);
    mockEndpoint(api.subscription.findSubscription, 'unavailable');
    const requests = mockBilling({ customerInfo: [{ json: subscriberJson }, { json: emptyCustomerJson }] });
    const customerRequests = () =>
      requests.filter(({ method, path }) => `${method} ${path}` === billingEndpoints.customerInfo);
    await renderApp('/library', {}, { billing: billingConfig });
    await screen.findByRole('heading', { level: 1, name: 'Your library' });
    // Once the page has been at rest for ten seconds. While the code loads, at most 9 of the 30 minutes pass.
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(2000);
        expect(customerRequests()).toHaveLength(1);
      },
      { timeout: 50_000, interval: 200 },
    );
    const portal = mockEndpoint(api.auth.me, {
      user: ana,
      subscription: { ...activeSubscription, isActive: false },
    });
    await vi.advanceTimersByTimeAsync(20 * MINUTE);
    expect([customerRequests().length, portal.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    await vi.waitFor(() => expect([customerRequests().length, portal.length]).toEqual([2, 1]), {
      timeout: 50_000,
    });
  });

  it('[SUB-02] does not poll for an operator’s user', async () => {
    const external: User = { ...ana, platform: 'entel', isExternal: true };
    mockSignedInUser(external, activeSubscription);
    mockIdentity();
    const requests = mockBilling();
    await renderApp('/library', {}, { billing: billingConfig });
    await screen.findByRole('heading', { level: 1, name: 'Your library' });
    await vi.advanceTimersByTimeAsync(61 * MINUTE);
    expect(requests).toEqual([]);
  });
});
