import { describe, expect, it } from 'vitest';
import { refundFacts } from '../payments/policy.ts';
import type { Fact, Subscription, Terms } from './facts.ts';
import { endOf } from './period.ts';
import {
  accessEndsAt,
  beginning,
  type ChargeOutcome,
  canCancel,
  canResume,
  dueAt,
  gift,
  isActive,
  nextStep,
  outcomeFacts,
  willRenew,
} from './policy.ts';
import { stateOf } from './state.ts';

const at = (text: string) => new Date(text);
const monthly: Terms = {
  product: 'monthly',
  option: 'base_option',
  price: { amount: 300, currency: 'USD' },
  period: 'P1M',
  trial: null,
};
const yearly: Terms = {
  ...monthly,
  product: 'yearly',
  price: { amount: 2700, currency: 'USD' },
  period: 'P1Y',
};
const trial: Terms = { ...monthly, option: 'trial', trial: 'P3D' };

const begun = at('2026-01-31T10:00:00Z');
const charge = { key: 'checkout_1', reference: 'r1' };
const bought = (terms = monthly) =>
  stateOf(beginning({ terms, isTrial: false, isSandbox: true, at: begun }, charge));
const onTrial = () =>
  stateOf(beginning({ terms: trial, isTrial: true, isSandbox: true, at: begun }, undefined));

const yes: ChargeOutcome = { status: 'succeeded', reference: 'r2' };
const no: ChargeOutcome = { status: 'failed', reason: 'card_declined' };

/** What a subscription becomes when all that is due is done at a moment and its charges come to `outcome`. */
function passing(
  state: Subscription,
  now: Date,
  outcome: ChargeOutcome,
): { state: Subscription; facts: Fact[] } {
  const all: Fact[] = [];
  let current = state;
  const take = (facts: Fact[]) => {
    all.push(...facts);
    if (facts.length > 0) current = stateOf(facts, current);
  };
  for (let step = nextStep('s', current, now); step; step = nextStep('s', current, now)) {
    if ('facts' in step) take(step.facts);
    else take(outcomeFacts(current, step, outcome, now));
  }
  return { state: current, facts: all };
}

const cancelled = (state: Subscription, now: Date) =>
  stateOf([{ kind: 'cancelled', at: now, by: 'reader' }], state);

describe('periods', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 'P1M', 1, '2026-02-28T10:00:00Z'],
    ['2026-01-31T10:00:00Z', 'P1M', 2, '2026-03-31T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 'P1M', 1, '2028-02-29T10:00:00Z'],
    ['2028-02-29T10:00:00Z', 'P1Y', 1, '2029-02-28T10:00:00Z'],
    ['2028-02-29T10:00:00Z', 'P1Y', 4, '2032-02-29T10:00:00Z'],
    ['2026-08-31T23:59:59Z', 'P6M', 1, '2027-02-28T23:59:59Z'],
    ['2026-12-30T00:00:00Z', 'P1W', 1, '2027-01-06T00:00:00Z'],
    ['2026-03-28T10:00:00Z', 'P3D', 1, '2026-03-31T10:00:00Z'],
  ])('from %s, %s, %i times: %s', (start, length, times, end) => {
    expect(endOf(at(start), length, times)).toEqual(at(end));
  });

  it('refuses what is none', () => {
    expect(() => endOf(begun, 'P1Y6M', 1)).toThrow('P1Y6M');
  });
});

describe('a subscription that was paid', () => {
  it('[RCB-02] runs for its period and is looked at a little before it ends', () => {
    const state = bought();
    expect(state).toMatchObject({ periodType: 'normal', expiresAt: at('2026-02-28T10:00:00Z') });
    expect(dueAt(state)).toEqual(at('2026-02-28T09:50:00Z'));
    expect(nextStep('s', state, at('2026-02-28T09:49:59Z'))).toBeUndefined();
  });

  it('[RCB-02] is renewed from the end of its period on, whenever in its last minutes it was paid', () => {
    const { state, facts } = passing(bought(), at('2026-02-28T09:50:01Z'), yes);
    expect(facts.map(({ kind }) => kind)).toEqual(['charge_begun', 'paid', 'renewed']);
    expect(state).toMatchObject({
      purchasedAt: at('2026-02-28T10:00:00Z'),
      expiresAt: at('2026-03-31T10:00:00Z'),
      renewals: 1,
      charge: null,
    });
  });

  it('[RCB-02] begins a new period now where nobody looked for a day', () => {
    const { state } = passing(bought(), at('2026-03-01T10:00:00Z'), yes);
    expect(state).toMatchObject({
      purchasedAt: at('2026-03-01T10:00:00Z'),
      expiresAt: at('2026-04-01T10:00:00Z'),
    });
  });

  it('[RCB-02] asks for each charge under a key of its own, and the same key again until it knows', () => {
    const [begin] = [nextStep('s', bought(), at('2026-02-28T10:00:00Z'))];
    const waiting = stateOf(begin && 'facts' in begin ? begin.facts : [], bought());
    const again = { kind: 'charge', key: 's.1.1', terms: monthly };
    expect(nextStep('s', waiting, at('2026-02-28T10:00:01Z'))).toEqual(again);
    expect(nextStep('s', waiting, at('2026-03-28T10:00:01Z'))).toEqual(again);
    expect(outcomeFacts(waiting, { key: 's.1.1', terms: monthly }, { status: 'pending' }, begun)).toEqual([]);
  });

  it('[RCB-02] that was stopped while its charge was on its way is not charged anew', () => {
    const begin = nextStep('s', bought(), at('2026-02-28T10:00:00Z'));
    const waiting = stateOf(begin && 'facts' in begin ? begin.facts : [], bought());
    const stopped = cancelled(waiting, at('2026-02-28T10:00:00Z'));
    expect(nextStep('s', stopped, at('2026-02-28T10:00:01Z'))).toMatchObject({
      kind: 'find_charge',
      key: 's.1.1',
    });
  });
});

describe('a trial', () => {
  it('[RCB-02] becomes a paid period when it ends, not before', () => {
    expect(onTrial()).toMatchObject({ periodType: 'trial', expiresAt: at('2026-02-03T10:00:00Z') });
    expect(nextStep('s', onTrial(), at('2026-02-03T09:59:59Z'))).toBeUndefined();
    const { state, facts } = passing(onTrial(), at('2026-02-03T10:00:00Z'), yes);
    expect(facts.map(({ kind }) => kind)).toEqual(['charge_begun', 'paid', 'renewed']);
    expect(state).toMatchObject({ periodType: 'normal', expiresAt: at('2026-03-03T10:00:00Z') });
  });

  it('[RCB-02] ends with its card', () => {
    const { state, facts } = passing(onTrial(), at('2026-02-03T10:00:00Z'), no);
    expect(facts.map(({ kind }) => kind)).toEqual(['charge_begun', 'unpaid', 'expired']);
    expect(isActive(state, at('2026-02-03T10:00:00Z'))).toBe(false);
  });

  it('[RCB-02] that was stopped ends without a charge', () => {
    const { facts } = passing(cancelled(onTrial(), begun), at('2026-02-03T10:00:00Z'), yes);
    expect(facts).toMatchObject([{ kind: 'expired', reason: 'cancelled' }]);
  });
});

describe('a renewal in vain', () => {
  it('[RCB-02] has seven days of grace, in which the card is tried three times more', () => {
    let state = bought();
    const tries = [
      '2026-02-28T10:00:00Z',
      '2026-03-01T10:00:00Z',
      '2026-03-03T10:00:00Z',
      '2026-03-05T10:00:00Z',
    ];
    for (const moment of tries) {
      state = passing(state, at(moment), no).state;
      expect(isActive(state, at(moment))).toBe(true);
      expect(willRenew(state)).toBe(false);
    }
    expect(accessEndsAt(state)).toEqual(at('2026-03-07T10:00:00Z'));
    const { state: ended, facts } = passing(state, at('2026-03-07T10:00:00Z'), no);
    expect(facts).toMatchObject([{ kind: 'expired', reason: 'unpaid' }]);
    expect(isActive(ended, at('2026-03-07T10:00:00Z'))).toBe(false);
  });

  it('[RCB-02] that is paid within its grace goes on as if nothing had been', () => {
    const { state: waiting } = passing(bought(), at('2026-02-28T10:00:00Z'), no);
    const { state } = passing(waiting, at('2026-03-01T10:00:00Z'), yes);
    expect(state).toMatchObject({
      purchasedAt: at('2026-02-28T10:00:00Z'),
      expiresAt: at('2026-03-31T10:00:00Z'),
      billingIssueAt: null,
      graceEndsAt: null,
      attempts: 0,
    });
  });

  it('[RCB-02] that is stopped ends at once: its period is over', () => {
    const { state: waiting } = passing(bought(), at('2026-02-28T10:00:00Z'), no);
    const now = at('2026-03-01T09:00:00Z');
    const { state } = passing(cancelled(waiting, now), now, yes);
    expect(isActive(state, now)).toBe(false);
  });
});

describe('stopping', () => {
  const now = at('2026-02-10T10:00:00Z');

  it('[RCB-02] keeps what is paid, and ends with it', () => {
    const state = cancelled(bought(), now);
    expect([isActive(state, now), willRenew(state), dueAt(state)]).toEqual([
      true,
      false,
      at('2026-02-28T10:00:00Z'),
    ]);
    const { facts } = passing(state, at('2026-02-28T10:00:00Z'), yes);
    expect(facts).toMatchObject([{ kind: 'expired', reason: 'cancelled' }]);
  });

  it('can be taken back until then', () => {
    const state = cancelled(bought(), now);
    expect([canCancel(state), canResume(state, now)]).toEqual([false, true]);
    expect(canResume(state, at('2026-02-28T10:00:00Z'))).toBe(false);
    expect(willRenew(stateOf([{ kind: 'resumed', at: now }], state))).toBe(true);
  });
});

describe('another plan', () => {
  it('[RCB-02] begins with the next renewal, at its own price', () => {
    const chosen = stateOf([{ kind: 'plan_chosen', at: begun, terms: yearly }], bought());
    expect(chosen.terms).toEqual(monthly);
    const { state, facts } = passing(chosen, at('2026-02-28T10:00:00Z'), yes);
    expect(facts[1]).toMatchObject({ kind: 'paid', money: { amount: 2700 } });
    expect(state).toMatchObject({ terms: yearly, nextTerms: null, expiresAt: at('2027-02-28T10:00:00Z') });
  });
});

describe('giving back', () => {
  const paid = { key: 'k', money: { amount: 300, currency: 'USD' }, refunded: 0, isLatest: true };

  it.each([
    ['all of it ends the period', paid, 300, [{ money: { amount: 300 }, endsIt: true }]],
    ['a part of it does not', paid, 100, [{ money: { amount: 100 }, endsIt: false }]],
    ['the rest of it does', { ...paid, refunded: 100 }, 300, [{ money: { amount: 200 }, endsIt: true }]],
    ['what is known changes nothing', { ...paid, refunded: 300 }, 300, []],
    ['less than is known changes nothing', { ...paid, refunded: 200 }, 100, []],
    ['more than was paid is what was paid', paid, 900, [{ money: { amount: 300 } }]],
    ['an older period is none that runs', { ...paid, isLatest: false }, 300, [{ endsIt: false }]],
  ])('[RCB-02] %s', (_name, charge, inAll, facts) => {
    expect(refundFacts(charge, inAll, begun)).toMatchObject(facts);
  });

  it('[RCB-02] ends what it paid for', () => {
    const now = at('2026-02-10T10:00:00Z');
    const { state } = passing(stateOf(refundFacts(paid, 300, now), bought()), now, yes);
    expect([isActive(state, now), accessEndsAt(state)]).toEqual([false, now]);
    expect(dueAt(state)).toBeNull();
  });
});

describe('a gift', () => {
  it.each([
    ['for good', null, null],
    ['until a day', at('2026-03-01T00:00:00Z'), at('2026-03-01T00:00:00Z')],
  ])('%s renews nothing', (_name, end, due) => {
    const state = stateOf(gift(begun, end));
    expect([isActive(state, begun), willRenew(state), canCancel(state)]).toEqual([true, false, false]);
    expect(dueAt(state)).toEqual(due);
    if (due) expect(isActive(passing(state, due, yes).state, due)).toBe(false);
  });
});
