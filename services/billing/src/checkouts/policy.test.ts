import { describe, expect, it } from 'vitest';
import { billingErrors } from '../errors.ts';
import { defaultCatalogue } from '../offerings/catalogue.ts';
import { reduceEvents, type Subscription, type Terms } from '../subscriptions/events.ts';
import { toGrantEvents, toStartEvents } from '../subscriptions/policy.ts';
import { findRefusal, resolveTerms } from './policy.ts';

const requested = { product: 'escucho_monthly', option: 'base_option', offering: 'default' };
const plain = resolveTerms(defaultCatalogue, requested);
const trial = resolveTerms(defaultCatalogue, { ...requested, option: 'trial' });

const startedAt = new Date('2026-01-10T10:00:00Z');
const whileActive = new Date('2026-01-20T10:00:00Z');
const afterEnd = new Date('2026-06-10T10:00:00Z');
const buy = (terms: Terms, isTrial = false): Subscription[] => [
  reduceEvents(toStartEvents({ terms, isTrial, isSandbox: true, at: startedAt }, undefined)),
];
const granted: Subscription[] = [reduceEvents(toGrantEvents(startedAt, whileActive))];

describe('[RCB-01] the terms of a purchase', () => {
  it('have the price of the product, and its trial when requested', () => {
    expect([plain.price, plain.trial, trial.trial]).toEqual([{ amount: 300, currency: 'USD' }, null, 'P3D']);
  });

  it.each([
    ['an unknown product', { product: 'escucho_daily' }, billingErrors.unknownProduct()],
    ['an unknown option', { option: 'half_price' }, billingErrors.unknownOffer()],
    [
      'an unknown offering',
      { offering: 'black_friday' },
      billingErrors.badRequest('presented_offering_identifier: there is no such offering of this product.'),
    ],
  ])('are refused for %s', (_, change, error) => {
    expect(() => resolveTerms(defaultCatalogue, { ...requested, ...change })).toThrow(error);
  });

  it('are refused for a product without a trial, or without the offering', () => {
    const [product, ...others] = defaultCatalogue.products.filter(
      ({ identifier }) => identifier === requested.product,
    );
    if (!product) throw new Error('There is no monthly plan.');
    const without = { ...defaultCatalogue, products: [{ ...product, trial: null }, ...others] };
    expect(() => resolveTerms(without, { ...requested, option: 'trial' })).toThrow(
      billingErrors.unknownOffer(),
    );
    const offerings = defaultCatalogue.offerings.map((offering) => ({ ...offering, packages: [] }));
    expect(() => resolveTerms({ ...defaultCatalogue, offerings }, requested)).toThrow(/offering/);
  });
});

describe('[RCB-01] a purchase is refused', () => {
  const [subscribed, notEligible] = [billingErrors.alreadySubscribed(), billingErrors.notEligible()];
  it.each([
    ['never, to a user without purchases', trial, [], startedAt, undefined],
    ['with an active subscription', plain, buy(plain), whileActive, subscribed],
    ['with an active trial', plain, buy(trial, true), new Date('2026-01-12T10:00:00Z'), subscribed],
    ['with a granted subscription', plain, granted, new Date('2026-01-15T10:00:00Z'), subscribed],
    ['never, after the paid period', plain, buy(plain), afterEnd, undefined],
    ['with a trial, after a paid period', trial, buy(plain), afterEnd, notEligible],
    ['with a trial, after a trial', trial, buy(trial, true), afterEnd, notEligible],
    ['never, with a trial after a grant', trial, granted, afterEnd, undefined],
  ])('%s', (_, terms, states, now, refusal) => {
    expect(findRefusal(terms, states, now)).toEqual(refusal);
  });
});
