import { describe, expect, it } from 'vitest';
import { billingErrors } from '../errors.ts';
import { defaultCatalogue } from '../offerings/catalogue.ts';
import type { Subscription, Terms } from '../subscriptions/events.ts';
import { toGrantEvents, toStartEvents } from '../subscriptions/policy.ts';
import { reduceEvents } from '../subscriptions/state.ts';
import { findRefusal, resolveTerms } from './policy.ts';

const callStripe = { product: 'escucho_monthly', option: 'base_option', offering: 'default' };
const plain = resolveTerms(defaultCatalogue, callStripe);
const trial = resolveTerms(defaultCatalogue, { ...callStripe, option: 'trial' });

const began = new Date('2026-01-10T10:00:00Z');
const meanwhile = new Date('2026-01-20T10:00:00Z');
const longAfter = new Date('2026-06-10T10:00:00Z');
const had = (terms: Terms, isTrial = false): Subscription[] => [
  reduceEvents(toStartEvents({ terms, isTrial, isSandbox: true, at: began }, undefined)),
];
const wasGiven: Subscription[] = [reduceEvents(toGrantEvents(began, meanwhile))];

describe('[RCB-01] what a purchase names', () => {
  it('is on sale at its price, and with a trial where it has one', () => {
    expect([plain.price, plain.trial, trial.trial]).toEqual([{ amount: 300, currency: 'USD' }, null, 'P3D']);
  });

  it.each([
    ['a product that is none', { product: 'escucho_daily' }, billingErrors.unknownProduct()],
    ['an option that is none', { option: 'half_price' }, billingErrors.unknownOffer()],
    [
      'an offering that is none',
      { offering: 'black_friday' },
      billingErrors.badRequest('presented_offering_identifier: there is no such offering of this product.'),
    ],
  ])('is refused where it is %s', (_, wrong, fault) => {
    expect(() => resolveTerms(defaultCatalogue, { ...callStripe, ...wrong })).toThrow(fault);
  });

  it('is refused without a trial of the product, or in another offering', () => {
    const [product, ...others] = defaultCatalogue.products.filter(
      ({ identifier }) => identifier === callStripe.product,
    );
    if (!product) throw new Error('There is no monthly plan.');
    const without = { ...defaultCatalogue, products: [{ ...product, trial: null }, ...others] };
    expect(() => resolveTerms(without, { ...callStripe, option: 'trial' })).toThrow(
      billingErrors.unknownOffer(),
    );
    const elsewhere = defaultCatalogue.offerings.map((offering) => ({ ...offering, packages: [] }));
    expect(() => resolveTerms({ ...defaultCatalogue, offerings: elsewhere }, callStripe)).toThrow(/offering/);
  });
});

describe('[RCB-01] what is against a purchase', () => {
  const [subscribed, notEligible] = [billingErrors.alreadySubscribed(), billingErrors.notEligible()];
  it.each([
    ['nothing, for who never had anything', trial, [], began, undefined],
    ['that it is paidPeriod already', plain, had(plain), meanwhile, subscribed],
    ['that a trial runs', plain, had(trial, true), new Date('2026-01-12T10:00:00Z'), subscribed],
    ['that a toGiftEvents opens the door', plain, wasGiven, new Date('2026-01-15T10:00:00Z'), subscribed],
    ['nothing, once what was paidPeriod is over', plain, had(plain), longAfter, undefined],
    ['a trial, for who paidPeriod before', trial, had(plain), longAfter, notEligible],
    ['a second trial', trial, had(trial, true), longAfter, notEligible],
    ['nothing, of a trial after a gift', trial, wasGiven, longAfter, undefined],
  ])('is %s', (_, terms, states, now, refusal) => {
    expect(findRefusal(terms, states, now)).toEqual(refusal);
  });
});
