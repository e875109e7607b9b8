import { describe, expect, it } from 'vitest';
import type { Subscription, SubscriptionEvent, Terms } from './events.ts';
import { addPeriods } from './period.ts';
import {
  type ChargeOutcome,
  canCancel,
  canResume,
  getAccessEnd,
  getDueAt,
  getNextStep,
  getUnpaidCharge,
  isActive,
  needsConfirmation,
  toChargeEvents,
  toGrantEvents,
  toRetryEvents,
  toStartEvents,
  willRenew,
} from './policy.ts';
import { reduceEvents } from './state.ts';

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
const paidPeriod = (terms = monthly) =>
  reduceEvents(toStartEvents({ terms, isTrial: false, isSandbox: true, at: begun }, charge));
const onTrial = () =>
  reduceEvents(toStartEvents({ terms: trial, isTrial: true, isSandbox: true, at: begun }, undefined));

const yes: ChargeOutcome = { status: 'succeeded', reference: 'r2' };
const no: ChargeOutcome = { status: 'failed', reason: 'card_declined' };

/** What a subscription becomes when all that is due is done at a moment and its charges come to `outcome`. */
function passing(
  state: Subscription,
  now: Date,
  outcome: ChargeOutcome,
): { state: Subscription; events: SubscriptionEvent[] } {
  const all: SubscriptionEvent[] = [];
  let current = state;
  const replaceCard = (events: SubscriptionEvent[]) => {
    all.push(...events);
    if (events.length > 0) current = reduceEvents(events, current);
  };
  for (let step = getNextStep('s', current, now); step; step = getNextStep('s', current, now)) {
    if ('events' in step) replaceCard(step.events);
    else replaceCard(toChargeEvents(current, step, outcome, now));
  }
  return { state: current, events: all };
}

const cancelled = (state: Subscription, now: Date) =>
  reduceEvents([{ kind: 'cancelled', at: now, by: 'user' }], state);

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
    expect(addPeriods(at(start), length, times)).toEqual(at(end));
  });

  it('refuses an invalid period', () => {
    expect(() => addPeriods(begun, 'P1Y6M', 1)).toThrow('P1Y6M');
  });
});

describe('a subscription that was paid', () => {
  it('[RCB-02] is due shortly before its period ends', () => {
    const state = paidPeriod();
    expect(state).toMatchObject({ periodType: 'normal', expiresAt: at('2026-02-28T10:00:00Z') });
    expect(getDueAt(state)).toEqual(at('2026-02-28T09:50:00Z'));
    expect(getNextStep('s', state, at('2026-02-28T09:49:59Z'))).toBeUndefined();
  });

  it('[RCB-02] renews from the end of its period when paid in its last minutes', () => {
    const { state, events } = passing(paidPeriod(), at('2026-02-28T09:50:01Z'), yes);
    expect(events.map(({ kind }) => kind)).toEqual(['charge_begun', 'paid', 'renewed']);
    expect(state).toMatchObject({
      purchasedAt: at('2026-02-28T10:00:00Z'),
      expiresAt: at('2026-03-31T10:00:00Z'),
      renewals: 1,
      charge: null,
    });
  });

  it('[RCB-02] starts a new period now when processed a day late', () => {
    const { state } = passing(paidPeriod(), at('2026-03-01T10:00:00Z'), yes);
    expect(state).toMatchObject({
      purchasedAt: at('2026-03-01T10:00:00Z'),
      expiresAt: at('2026-04-01T10:00:00Z'),
    });
  });

  it('[RCB-02] charges under a key per attempt, repeated until the outcome is known', () => {
    const [begin] = [getNextStep('s', paidPeriod(), at('2026-02-28T10:00:00Z'))];
    const waiting = reduceEvents(begin && 'events' in begin ? begin.events : [], paidPeriod());
    const again = { kind: 'charge', key: 's.1.1', terms: monthly };
    expect(getNextStep('s', waiting, at('2026-02-28T10:00:01Z'))).toEqual(again);
    expect(getNextStep('s', waiting, at('2026-03-28T10:00:01Z'))).toEqual(again);
    expect(toChargeEvents(waiting, { key: 's.1.1', terms: monthly }, { status: 'pending' }, begun)).toEqual(
      [],
    );
  });

  it('[RCB-02] cancelled while its charge is pending, is not charged again', () => {
    const begin = getNextStep('s', paidPeriod(), at('2026-02-28T10:00:00Z'));
    const waiting = reduceEvents(begin && 'events' in begin ? begin.events : [], paidPeriod());
    const stopped = cancelled(waiting, at('2026-02-28T10:00:00Z'));
    expect(getNextStep('s', stopped, at('2026-02-28T10:00:01Z'))).toMatchObject({
      kind: 'find_charge',
      key: 's.1.1',
    });
  });
});

describe('a trial', () => {
  it('[RCB-02] becomes a paid period when it ends, not before', () => {
    expect(onTrial()).toMatchObject({ periodType: 'trial', expiresAt: at('2026-02-03T10:00:00Z') });
    expect(getNextStep('s', onTrial(), at('2026-02-03T09:59:59Z'))).toBeUndefined();
    const { state, events } = passing(onTrial(), at('2026-02-03T10:00:00Z'), yes);
    expect(events.map(({ kind }) => kind)).toEqual(['charge_begun', 'paid', 'renewed']);
    expect(state).toMatchObject({ periodType: 'normal', expiresAt: at('2026-03-03T10:00:00Z') });
  });

  it('[RCB-02] ends when its card is refused', () => {
    const { state, events } = passing(onTrial(), at('2026-02-03T10:00:00Z'), no);
    expect(events.map(({ kind }) => kind)).toEqual(['charge_begun', 'unpaid', 'expired']);
    expect(isActive(state, at('2026-02-03T10:00:00Z'))).toBe(false);
  });

  it('[RCB-02] cancelled, ends without a charge', () => {
    const { events } = passing(cancelled(onTrial(), begun), at('2026-02-03T10:00:00Z'), yes);
    expect(events).toMatchObject([{ kind: 'expired', reason: 'cancelled' }]);
  });
});

describe('a refused renewal', () => {
  it('[RCB-02] has a grace period of seven days with three retries', () => {
    let state = paidPeriod();
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
    expect(getAccessEnd(state)).toEqual(at('2026-03-07T10:00:00Z'));
    const { state: ended, events } = passing(state, at('2026-03-07T10:00:00Z'), no);
    expect(events).toMatchObject([{ kind: 'expired', reason: 'unpaid' }]);
    expect(isActive(ended, at('2026-03-07T10:00:00Z'))).toBe(false);
  });

  it('[RCB-02] paid within the grace period, continues as before', () => {
    const { state: waiting } = passing(paidPeriod(), at('2026-02-28T10:00:00Z'), no);
    const { state } = passing(waiting, at('2026-03-01T10:00:00Z'), yes);
    expect(state).toMatchObject({
      purchasedAt: at('2026-02-28T10:00:00Z'),
      expiresAt: at('2026-03-31T10:00:00Z'),
      billingIssueAt: null,
      graceEndsAt: null,
      attempts: 0,
    });
  });

  it('[RCB-02] cancelled, ends at once because its period is over', () => {
    const { state: waiting } = passing(paidPeriod(), at('2026-02-28T10:00:00Z'), no);
    const now = at('2026-03-01T09:00:00Z');
    const { state } = passing(cancelled(waiting, now), now, yes);
    expect(isActive(state, now)).toBe(false);
  });
});

describe('cancelling', () => {
  const now = at('2026-02-10T10:00:00Z');

  it('[RCB-02] keeps the paid period and ends with it', () => {
    const state = cancelled(paidPeriod(), now);
    expect([isActive(state, now), willRenew(state), getDueAt(state)]).toEqual([
      true,
      false,
      at('2026-02-28T10:00:00Z'),
    ]);
    const { events } = passing(state, at('2026-02-28T10:00:00Z'), yes);
    expect(events).toMatchObject([{ kind: 'expired', reason: 'cancelled' }]);
  });

  it('can be undone until then', () => {
    const state = cancelled(paidPeriod(), now);
    expect([canCancel(state), canResume(state, now)]).toEqual([false, true]);
    expect(canResume(state, at('2026-02-28T10:00:00Z'))).toBe(false);
    expect(willRenew(reduceEvents([{ kind: 'resumed', at: now }], state))).toBe(true);
  });
});

describe('a refunded period', () => {
  const now = at('2026-02-28T10:00:00Z');
  const back: SubscriptionEvent = {
    kind: 'refunded',
    at: now,
    key: 'checkout_1',
    money: monthly.price,
    endsIt: true,
  };

  it('[RCB-02] ends at once', () => {
    const state = reduceEvents([back], paidPeriod());
    expect([isActive(state, now), canResume(state, now)]).toEqual([false, false]);
  });

  it('[RCB-02] does not affect the next period, paid by then', () => {
    const begin = getNextStep('s', paidPeriod(), now);
    const waiting = reduceEvents([...(begin && 'events' in begin ? begin.events : []), back], paidPeriod());
    expect(getNextStep('s', waiting, now)).toMatchObject({ kind: 'find_charge' });
    const { state } = passing(waiting, now, yes);
    expect([isActive(state, now), willRenew(state), canResume(state, now)]).toEqual([true, false, true]);
    expect(getAccessEnd(state)).toEqual(at('2026-03-31T10:00:00Z'));
  });
});

describe('another plan', () => {
  it('[RCB-02] starts with the next renewal, at its own price', () => {
    const chosen = reduceEvents([{ kind: 'plan_chosen', at: begun, terms: yearly }], paidPeriod());
    expect(chosen.terms).toEqual(monthly);
    const { state, events } = passing(chosen, at('2026-02-28T10:00:00Z'), yes);
    expect(events[1]).toMatchObject({ kind: 'paid', money: { amount: 2700 } });
    expect(state).toMatchObject({ terms: yearly, nextTerms: null, expiresAt: at('2027-02-28T10:00:00Z') });
  });
});

describe('a granted subscription', () => {
  it.each([
    ['for good', null, null],
    ['until a day', at('2026-03-01T00:00:00Z'), at('2026-03-01T00:00:00Z')],
  ])('%s renews nothing', (_name, end, due) => {
    const state = reduceEvents(toGrantEvents(begun, end));
    expect([isActive(state, begun), willRenew(state), canCancel(state)]).toEqual([true, false, false]);
    expect(getDueAt(state)).toEqual(due);
    if (due) expect(isActive(passing(state, due, yes).state, due)).toBe(false);
  });
});

describe('a confirmation', () => {
  const asks: ChargeOutcome = { status: 'failed', reason: 'authentication_required' };
  const end = at('2026-02-28T10:00:00Z');
  const later = at('2026-03-02T10:00:00Z');
  const waiting = (outcome: ChargeOutcome, from = paidPeriod()) => passing(from, end, outcome).state;
  const charging = (state: Subscription) => reduceEvents(toRetryEvents('s', state, later), state);

  it.each([
    ['nothing is owed', paidPeriod(), undefined, false],
    ['the bank asks', waiting(asks), 's.1.1', true],
    ['the bank refused', waiting(no), 's.1.1', false],
    ['the bank callStripe a second time', passing(charging(waiting(asks)), later, asks).state, 's.1.2', true],
    ['another charge is on its way', charging(waiting(asks)), 's.1.2', false],
    ['its owner stopped it', cancelled(waiting(asks), later), undefined, false],
    ['it is over', passing(waiting(asks), at('2026-03-07T10:00:00Z'), asks).state, undefined, false],
  ])('[RCB-02] where %s', (_name, state, key, isNeeded) => {
    expect([getUnpaidCharge('s', state)?.key, needsConfirmation(state)]).toEqual([key, isNeeded]);
  });

  it('[RCB-02] is waited for seven days without a retry', () => {
    const state = waiting(asks);
    expect([getDueAt(state), getAccessEnd(state)]).toEqual([
      at('2026-03-07T10:00:00Z'),
      at('2026-03-07T10:00:00Z'),
    ]);
  });

  it('[RCB-02] of a trial’s first charge has the same period', () => {
    const { state } = passing(onTrial(), at('2026-02-03T10:00:00Z'), asks);
    expect([state.endedAt, getAccessEnd(state)]).toEqual([null, at('2026-02-10T10:00:00Z')]);
  });

  it('[RCB-02] is one charge at a time', () => {
    expect(toRetryEvents('s', charging(waiting(asks)), later)).toEqual([]);
    expect(toRetryEvents('s', paidPeriod(), later)).toEqual([]);
  });
});

describe('a subscription managed by the gateway', () => {
  const end = at('2026-02-28T10:00:00Z');
  const nextEnd = at('2026-03-31T10:00:00Z');
  const priced = { ...monthly, gatewayPrice: 'price_month' };
  const yearlyPriced = { ...yearly, gatewayPrice: 'price_year' };
  const kept = (more: Partial<Parameters<typeof toStartEvents>[0]> = {}, pays = true) =>
    reduceEvents(
      toStartEvents(
        {
          terms: priced,
          isTrial: false,
          isSandbox: false,
          at: begun,
          gatewaySubscription: { id: 'sub_1', endsAt: end },
          ...more,
        },
        pays ? { ...charge, money: { amount: 290, currency: 'USD' } } : undefined,
      ),
    );
  const paidFor = (price = 'price_month', amount = 290): ChargeOutcome => ({
    status: 'succeeded',
    reference: 'pi_2',
    paidPeriod: { money: { amount, currency: 'USD' }, startsAt: end, endsAt: nextEnd, price },
  });

  it('[RCB-02] is due when its period ends and keeps access for another hour', () => {
    expect([getDueAt(kept()), getAccessEnd(kept())]).toEqual([end, at('2026-02-28T11:00:00Z')]);
    expect(getNextStep('s', kept(), at('2026-02-28T09:59:59Z'))).toBeUndefined();
  });

  it('[RCB-02] cancelled, ends with its period', () => {
    expect(getAccessEnd(cancelled(kept(), begun))).toEqual(end);
  });

  it('[RCB-02] renews until the gateway’s date, for the gateway’s amount', () => {
    const { state, events } = passing(kept(), end, paidFor());
    expect(events[1]).toMatchObject({ kind: 'paid', money: { amount: 290 }, reference: 'pi_2' });
    expect(state).toMatchObject({ purchasedAt: end, expiresAt: nextEnd, gatewaySubscription: 'sub_1' });
  });

  it.each([
    ['what was chosen, where that was paid for', 'price_year', yearlyPriced, null],
    ['what it was, where that was paid for; the choice stands', 'price_month', priced, yearlyPriced],
    [
      'what was callStripe for, where nobody trackCustomer the price',
      'price_of_another_shop',
      yearlyPriced,
      null,
    ],
  ])('[RCB-02] is then of %s', (_name, price, terms, nextTerms) => {
    const chosen = reduceEvents([{ kind: 'plan_chosen', at: begun, terms: yearlyPriced }], kept());
    expect(passing(chosen, end, paidFor(price)).state).toMatchObject({ terms, nextTerms });
  });

  it('[RCB-02] ended at the gateway, is cancelled here and ends with the paid period', () => {
    const { events } = passing(kept(), end, { status: 'ended' });
    expect(events.map(({ kind }) => kind)).toEqual([
      'charge_begun',
      'charge_dropped',
      'cancelled',
      'expired',
    ]);
    const stopped = cancelled(reduceEvents([chargeFact()], kept()), end);
    expect(toChargeEvents(stopped, { key: 's.1.1', terms: priced }, { status: 'ended' }, end)).toMatchObject([
      { kind: 'charge_dropped' },
    ]);
  });

  it('[RCB-02] ended and paid after all, gets a period from then and does not renew', () => {
    const later = at('2026-03-10T10:00:00Z');
    const { state: ended } = passing(passing(kept(), end, no).state, at('2026-03-07T10:00:00Z'), no);
    const state = reduceEvents(
      toChargeEvents(ended, { key: 's.1.1', terms: priced }, paidFor(), later),
      ended,
    );
    expect(state).toMatchObject({ purchasedAt: later, expiresAt: at('2026-04-10T10:00:00Z'), endedAt: null });
    expect([willRenew(state), canResume(state, later)]).toEqual([false, true]);
  });

  it('[RCB-02] resumed, refers to the gateway’s new subscription', () => {
    const stopped = cancelled(kept(), begun);
    const resumed = { kind: 'resumed', at: begun } as const;
    expect(reduceEvents([resumed], stopped).gatewaySubscription).toBe('sub_1');
    expect(reduceEvents([{ ...resumed, gatewaySubscription: 'sub_2' }], stopped).gatewaySubscription).toBe(
      'sub_2',
    );
  });

  it('[RCB-02] on trial, ends at once when the card is refused', () => {
    const trialEnd = at('2026-02-03T10:00:00Z');
    const state = kept(
      {
        terms: { ...priced, trial: 'P3D' },
        isTrial: true,
        gatewaySubscription: { id: 'sub_1', endsAt: trialEnd },
      },
      false,
    );
    const { events } = passing(state, trialEnd, no);
    expect(events.slice(1)).toMatchObject([
      { kind: 'unpaid', graceEndsAt: null },
      { kind: 'expired', reason: 'unpaid' },
    ]);
  });

  function chargeFact(): SubscriptionEvent {
    return { kind: 'charge_begun', at: end, key: 's.1.1', terms: priced, attempt: 1 };
  }
});
