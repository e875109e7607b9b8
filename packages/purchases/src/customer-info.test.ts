import { describe, expect, it } from 'vitest';
import { toCustomerInfo } from './customer-info.ts';
import { subscriberResponse } from './wire.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const past = '2026-11-21T11:59:59Z';
const future = '2026-11-21T12:00:01Z';
const bought = '2026-10-01T08:00:00Z';

const subscription = {
  purchase_date: bought,
  original_purchase_date: '2025-01-01T00:00:00Z',
  expires_date: future,
  billing_issues_detected_at: null,
  unsubscribe_detected_at: null,
  is_sandbox: true,
  period_type: 'normal',
  store: 'rc_billing',
};
const entitlement = { expires_date: future, purchase_date: bought, product_identifier: 'yearly' };

const parseInfo = (fields: object) =>
  toCustomerInfo(
    subscriberResponse.parse({
      request_date: '2026-11-21T12:00:00Z',
      request_date_ms: now,
      subscriber: {
        first_seen: bought,
        original_app_user_id: 'user-1',
        management_url: null,
        entitlements: {},
        subscriptions: {},
        non_subscriptions: {},
        ...fields,
      },
    }),
    now,
  );
const getEntitlement = (right: object, plan: object) =>
  parseInfo({
    entitlements: { full: { ...entitlement, ...right } },
    subscriptions: { yearly: { ...subscription, ...plan } },
  }).entitlements.all.full;

describe('[SUB-04] an entitlement from a subscription', () => {
  it.each([
    ['an end in the future', { expires_date: future }, true],
    ['no end', { expires_date: null }, true],
    ['an end that is now', { expires_date: '2026-11-21T12:00:00Z' }, false],
    ['an end in the past', { expires_date: past }, false],
    [
      'a grace period, which does not count,',
      { expires_date: past, grace_period_expires_date: future },
      false,
    ],
  ])('with %s has the right status', (_, right, isActive) => {
    expect(getEntitlement(right, {})?.isActive).toBe(isActive);
  });

  it.each([
    ['a plain subscription renews', {}, {}, true],
    ['a promotional one does not', {}, { store: 'promotional' }, false],
    ['one without an end does not', { expires_date: null }, {}, false],
    ['a cancelled one does not', {}, { unsubscribe_detected_at: past }, false],
    ['one with a billing issue does not', {}, { billing_issues_detected_at: past }, false],
  ])('%s', (_, right, plan, willRenew) => {
    expect(getEntitlement(right, plan)?.willRenew).toBe(willRenew);
  });

  it('has store, dates, sandbox flag and period type', () => {
    expect(getEntitlement({}, { period_type: 'trial', unsubscribe_detected_at: past })).toEqual({
      identifier: 'full',
      isActive: true,
      willRenew: false,
      store: 'rc_billing',
      latestPurchaseDate: bought,
      originalPurchaseDate: bought,
      expirationDate: future,
      productIdentifier: 'yearly',
      unsubscribeDetectedAt: past,
      billingIssueDetectedAt: null,
      isSandbox: true,
      periodType: 'trial',
    });
  });
});

describe('[SUB-04] an entitlement from a one-time purchase', () => {
  const purchase = {
    id: 'p1',
    is_sandbox: false,
    original_purchase_date: bought,
    purchase_date: bought,
    store: 'stripe',
  };

  it('is always active, never renews and has the data of the last purchase', () => {
    const { entitlements } = parseInfo({
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
  ])('when %s, throws a customer info error', (_, fields) => {
    expect(() => parseInfo({ entitlements: { full: entitlement }, ...fields })).toThrow(
      expect.objectContaining({
        code: 'CustomerInfoError',
        message: 'Could not find entitlement product in subscriptions or non-subscriptions.',
      }),
    );
  });
});

it('[SUB-04] lists the subscriptions that have not expired', () => {
  const info = parseInfo({
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
    originalAppUserId: 'user-1',
    firstSeenDate: bought,
    originalPurchaseDate: bought,
    requestDate: '2026-11-21T12:00:00Z',
  });
});
