import { describe, expect, it } from 'vitest';
import { toCustomerInfo } from './customer-info.ts';
import { subscriberResponse } from './wire.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const past = '2026-11-21T11:59:59Z';
const ahead = '2026-11-21T12:00:01Z';
const bought = '2026-10-01T08:00:00Z';

const subscription = {
  purchase_date: bought,
  original_purchase_date: '2025-01-01T00:00:00Z',
  expires_date: ahead,
  billing_issues_detected_at: null,
  unsubscribe_detected_at: null,
  is_sandbox: true,
  period_type: 'normal',
  store: 'rc_billing',
};
const entitlement = { expires_date: ahead, purchase_date: bought, product_identifier: 'yearly' };

const infoOf = (parts: object) =>
  toCustomerInfo(
    subscriberResponse.parse({
      request_date: '2026-11-21T12:00:00Z',
      request_date_ms: now,
      subscriber: {
        first_seen: bought,
        original_app_user_id: 'reader-1',
        management_url: null,
        entitlements: {},
        subscriptions: {},
        non_subscriptions: {},
        ...parts,
      },
    }),
    now,
  );
const fullOf = (right: object, plan: object) =>
  infoOf({
    entitlements: { full: { ...entitlement, ...right } },
    subscriptions: { yearly: { ...subscription, ...plan } },
  }).entitlements.all.full;

describe('[SUB-04] an entitlement by a subscription', () => {
  it.each([
    ['an end ahead', { expires_date: ahead }, true],
    ['no end', { expires_date: null }, true],
    ['an end that has come', { expires_date: '2026-11-21T12:00:00Z' }, false],
    ['an end that has passed', { expires_date: past }, false],
    ['a grace period does not count', { expires_date: past, grace_period_expires_date: ahead }, false],
  ])('%s: active or not', (_, right, isActive) => {
    expect(fullOf(right, {})?.isActive).toBe(isActive);
  });

  it.each([
    ['a plain subscription renews', {}, {}, true],
    ['a promotional one does not', {}, { store: 'promotional' }, false],
    ['one without an end does not', { expires_date: null }, {}, false],
    ['a cancelled one does not', {}, { unsubscribe_detected_at: past }, false],
    ['one that could not be charged does not', {}, { billing_issues_detected_at: past }, false],
  ])('%s', (_, right, plan, willRenew) => {
    expect(fullOf(right, plan)?.willRenew).toBe(willRenew);
  });

  it('has store, dates, sandbox and period type', () => {
    expect(fullOf({}, { period_type: 'trial', unsubscribe_detected_at: past })).toEqual({
      identifier: 'full',
      isActive: true,
      willRenew: false,
      store: 'rc_billing',
      latestPurchaseDate: bought,
      originalPurchaseDate: bought,
      expirationDate: ahead,
      productIdentifier: 'yearly',
      unsubscribeDetectedAt: past,
      billingIssueDetectedAt: null,
      isSandbox: true,
      periodType: 'trial',
    });
  });
});

describe('[SUB-04] an entitlement by a one-time purchase', () => {
  const purchase = {
    id: 'p1',
    is_sandbox: false,
    original_purchase_date: bought,
    purchase_date: bought,
    store: 'stripe',
  };

  it('is always active, never renews, and has the data of the last purchase', () => {
    const { entitlements } = infoOf({
      entitlements: { full: { ...entitlement, expires_date: past } },
      non_subscriptions: { yearly: [{ ...purchase, store: 'amazon' }, purchase] },
    });
    expect(entitlements.active.full).toMatchObject({
      isActive: true,
      willRenew: false,
      store: 'stripe',
      periodType: 'normal',
      expirationDate: null,
    });
  });

  it.each([
    ['nothing was bought', {}],
    ['the list of purchases is empty', { non_subscriptions: { yearly: [] } }],
  ])('when %s, the whole answer is a customer info error', (_, parts) => {
    expect(() => infoOf({ entitlements: { full: entitlement }, ...parts })).toThrow(
      expect.objectContaining({
        code: 'CustomerInfoError',
        message: 'Could not find entitlement product in subscriptions or non-subscriptions.',
      }),
    );
  });
});

it('[SUB-04] lists the subscriptions whose own dates have not passed', () => {
  const info = infoOf({
    subscriptions: {
      yearly: subscription,
      endless: { ...subscription, expires_date: null },
      over: { ...subscription, expires_date: past },
    },
    management_url: 'https://billing.test/manage',
    original_purchase_date: bought,
  });
  expect(info).toEqual({
    entitlements: { all: {}, active: {} },
    activeSubscriptions: ['yearly', 'endless'],
    managementUrl: 'https://billing.test/manage',
    originalAppUserId: 'reader-1',
    firstSeenDate: bought,
    originalPurchaseDate: bought,
    requestDate: '2026-11-21T12:00:00Z',
  });
});
