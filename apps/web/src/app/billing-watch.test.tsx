import { api, type User } from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ana, answerShell, keepReader, subscribed, visit } from '../testing/app.tsx';
import { answerBilling, billing, billingCalls, nobodyJson } from '../testing/billing.ts';
import { answer } from '../testing/server.ts';

const MINUTE = 60_000;

beforeEach(() => {
  answerShell();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => vi.useRealTimers());

/** What the provider says of Ana while she has a subscription. */
const subscriberJson = {
  ...nobodyJson,
  subscriber: {
    ...nobodyJson.subscriber,
    entitlements: {
      premium: { expires_date: null, purchase_date: nobodyJson.request_date, product_identifier: 'yearly' },
    },
    subscriptions: {
      yearly: {
        ...{ expires_date: null, purchase_date: nobodyJson.request_date, store: 'rc_billing' },
        ...{ original_purchase_date: nobodyJson.request_date, unsubscribe_detected_at: null },
        ...{ billing_issues_detected_at: null, is_sandbox: true, period_type: 'normal' },
      },
    },
  },
};

describe('the watch over the subscription', () => {
  it('[SUB-02] [SUB-03] asks by the reader’s _id, anew every 30 minutes; where it knows otherwise the portal is asked', async () => {
    keepReader(ana, subscribed);
    const heard = answerBilling({ customerInfo: [{ json: subscriberJson }, { json: nobodyJson }] });
    const asked = () => heard.filter(({ method, path }) => `${method} ${path}` === billingCalls.customerInfo);
    await visit('/library', {}, { billing });
    await screen.findByRole('heading', { level: 1, name: 'Your library' });
    // Once the page has been at rest for ten seconds.
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(2000);
        expect(asked()).toHaveLength(1);
      },
      { timeout: 10_000, interval: 20 },
    );
    const portal = answer(api.auth.me, { user: ana, subscription: { ...subscribed, isActive: false } });
    await vi.advanceTimersByTimeAsync(29 * MINUTE);
    expect([asked().length, portal.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await vi.waitFor(() => expect([asked().length, portal.length]).toEqual([2, 1]), { timeout: 8000 });
  });

  it('[SUB-02] asks nothing about an operator’s reader', async () => {
    const external: User = { ...ana, platform: 'entel', isExternal: true };
    keepReader(external, subscribed);
    const heard = answerBilling();
    await visit('/library', {}, { billing });
    await screen.findByRole('heading', { level: 1, name: 'Your library' });
    await vi.advanceTimersByTimeAsync(61 * MINUTE);
    expect(heard).toEqual([]);
  });
});
