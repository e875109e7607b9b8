import { describe, expect, it } from 'vitest';
import { filterGrants, type Grant, getSubscriptionStatus } from './policy.ts';

const now = new Date('2026-11-20T10:00:00Z');
const past = new Date('2026-11-20T09:59:59Z');
const future = new Date('2026-12-20T10:00:00Z');
const nextEnd = new Date('2027-12-20T10:00:00Z');

const grant = (changes: Partial<Grant> = {}): Grant => ({
  store: 'rc_billing',
  expiresAt: future,
  unsubscribeDetectedAt: null,
  billingIssueDetectedAt: null,
  isSandbox: false,
  ...changes,
});

describe('getSubscriptionStatus', () => {
  it.each([
    ['bought, still running', grant(), { isActive: true, willRenew: true }],
    ['bought, run out', grant({ expiresAt: past }), { isActive: false }],
    ['run out this moment', grant({ expiresAt: now }), { isActive: false }],
    ['without an end', grant({ expiresAt: null }), { isActive: true, willRenew: false }],
    ['cancelled', grant({ unsubscribeDetectedAt: past }), { isActive: true, willRenew: false }],
    ['not paid', grant({ billingIssueDetectedAt: past }), { isActive: true, willRenew: false }],
    ['given', grant({ store: 'promotional' }), { isActive: true, willRenew: false, store: 'promotional' }],
  ])('[SUB-04] %s', (_name, given, expected) => {
    expect(getSubscriptionStatus(null, [given], now)).toMatchObject(expected);
  });

  it('[SUB-04] without grants there is no subscription', () => {
    expect(getSubscriptionStatus(null, [], now)).toEqual({
      isActive: false,
      store: null,
      willRenew: false,
      expiresAt: null,
    });
  });

  it.each([
    ['the later end', [grant(), grant({ expiresAt: nextEnd })], nextEnd],
    ['the later end in any order', [grant({ expiresAt: nextEnd }), grant()], nextEnd],
    ['no end before any end', [grant({ expiresAt: nextEnd }), grant({ expiresAt: null }), grant()], null],
    ['an end to come before one gone by', [grant({ expiresAt: past }), grant()], future],
  ])('[SUB-04] of several, %s counts', (_name, grants, expiresAt) => {
    expect(getSubscriptionStatus(null, grants, now)).toMatchObject({ isActive: true, expiresAt });
  });

  it.each([
    ['entel', true],
    ['bitel', false],
    ['cnt', false],
    ['antel', false],
  ] as const)('[SUB-02] a user of %s is active; renews: %s', (platform, willRenew) => {
    const grants = [grant({ expiresAt: past, billingIssueDetectedAt: past })];
    for (const given of [[], grants]) {
      expect(getSubscriptionStatus(platform, given, now)).toEqual({
        isActive: true,
        store: 'rc_billing',
        willRenew,
        expiresAt: null,
      });
    }
  });
});

it('[SUB-04] grants of the sandbox count only where it is on', () => {
  const [real, sandbox] = [grant(), grant({ isSandbox: true })];
  expect(filterGrants([real, sandbox], true)).toEqual([real, sandbox]);
  expect(filterGrants([real, sandbox], false)).toEqual([real]);
});
