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

const startedAt = at('2026-01-31T10:00:00Z');
const charge = { key: 'checkout_1', reference: 'r1' };
const paidPeriod = (terms = monthly) =>
  reduceEvents(toStartEvents({ terms, isTrial: false, isSandbox: true, at: startedAt }, charge));
const onTrial = () =>
  reduceEvents(toStartEvents({ terms: trial, isTrial: true, isSandbox: true, at: startedAt }, undefined));

const succeeded: ChargeOutcome = { status: 'succeeded', reference: 'r2' };
const declined: ChargeOutcome = { status: 'failed', reason: 'card_declined' };

/** Processes everything that is due at `now`, where every charge has the same outcome. */
function processDue(
  state: Subscription,
  now: Date,
  outcome: ChargeOutcome,
): { state: Subscription; events: SubscriptionEvent[] } {
  const all: SubscriptionEvent[] = [];
  let current = state;
  const apply = (events: SubscriptionEvent[]) => {
    all.push(...events);
    if (events.length > 0) current = reduceEvents(events, current);
  };
  for (let step = getNextStep('s', current, now); step; step = getNextStep('s', current, now)) {
    if ('events' in step) apply(step.events);
    else apply(toChargeEvents(current, step, outcome, now));
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
    expect(() => addPeriods(startedAt, 'P1Y6M', 1)).toThrow('P1Y6M');
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
    const { state, events } = processDue(paidPeriod(), at('2026-02-28T09:50:01Z'), succeeded);
    expect(events.map(({ kind }) => kind)).toEqual(['charge_begun', 'paid', 'renewed']);
    expect(state).toMatchObject({
      purchasedAt: at('2026-02-28T10:00:00Z'),
      expiresAt: at('2026-03-31T10:00:00Z'),
      renewals: 1,
      charge: null,
    });
  });

  it('[RCB-02] starts a new period now when processed a day late', () => {
    const { state } = processDue(paidPeriod(), at('2026-03-01T10:00:00Z'), succeeded);
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
    expect(
      toChargeEvents(waiting, { key: 's.1.1', terms: monthly }, { status: 'pending' }, startedAt),
    ).toEqual([]);
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
    const { state, events } = processDue(onTrial(), at('2026-02-03T10:00:00Z'), succeeded);
    expect(events.map(({ kind }) => kind)).toEqual(['charge_begun', 'paid', 'renewed']);
    expect(state).toMatchObject({ periodType: 'normal', expiresAt: at('2026-03-03T10:00:00Z') });
  });

  it('[RCB-02] ends when its card is refused', () => {
    const { state, events } = processDue(onTrial(), at('2026-02-03T10:00:00Z'), declined);
    expect(events.map(({ kind }) => kind)).toEqual(['charge_begun', 'unpaid', 'expired']);
    expect(isActive(state, at('2026-02-03T10:00:00Z'))).toBe(false);
  });

  it('[RCB-02] cancelled, ends without a charge', () => {
    const { events } = processDue(cancelled(onTrial(), startedAt), at('2026-02-03T10:00:00Z'), succeeded);
    expect(events).toMatchObject([{ kind: 'expired', reason: 'cancelled' }]);
  });
});

describe('a refused renewal', () => {
  it('[RCB-02] has a grace period of seven days with three retries', () => {
    let state = paidPeriod();
    const attempts = [
      '2026-02-28T10:00:00Z',
      '2026-03-01T10:00:00Z',
      '2026-03-03T10:00:00Z',
      '2026-03-05T10:00:00Z',
    ];
    for (const moment of attempts) {
      state = processDue(state, at(moment), declined).state;
      expect(isActive(state, at(moment))).toBe(true);
      expect(willRenew(state)).toBe(false);
    }
    expect(getAccessEnd(state)).toEqual(at('2026-03-07T10:00:00Z'));
    const { state: ended, events } = processDue(state, at('2026-03-07T10:00:00Z'), declined);
    expect(events).toMatchObject([{ kind: 'expired', reason: 'unpaid' }]);
    expect(isActive(ended, at('2026-03-07T10:00:00Z'))).toBe(false);
  });

  it('[RCB-02] paid within the grace period, continues as before', () => {
    const { state: waiting } = processDue(paidPeriod(), at('2026-02-28T10:00:00Z'), declined);
    const { state } = processDue(waiting, at('2026-03-01T10:00:00Z'), succeeded);
    expect(state).toMatchObject({
      purchasedAt: at('2026-02-28T10:00:00Z'),
      expiresAt: at('2026-03-31T10:00:00Z'),
      billingIssueAt: null,
      graceEndsAt: null,
      attempts: 0,
    });
  });

  it('[RCB-02] cancelled, ends at once because its period is over', () => {
    const { state: waiting } = processDue(paidPeriod(), at('2026-02-28T10:00:00Z'), declined);
    const now = at('2026-03-01T09:00:00Z');
    const { state } = processDue(cancelled(waiting, now), now, succeeded);
    expect(isActive(state, now)).toBe(false);
  });
});

describe('cancelling', () => {
  const now = at('2026-02-10T10:00:00Z');

  it('[RCB-02] continues until the end of the paid period', () => {
    const state = cancelled(paidPeriod(), now);
    expect([isActive(state, now), willRenew(state), getDueAt(state)]).toEqual([
      true,
      false,
      at('2026-02-28T10:00:00Z'),
    ]);
    const { events } = processDue(state, at('2026-02-28T10:00:00Z'), succeeded);
    expect(events).toMatchObject([{ kind: 'expired', reason: 'cancelled' }]);
  });

  it('can be undone until the period ends', () => {
    const state = cancelled(paidPeriod(), now);
    expect([canCancel(state), canResume(state, now)]).toEqual([false, true]);
    expect(canResume(state, at('2026-02-28T10:00:00Z'))).toBe(false);
    expect(willRenew(reduceEvents([{ kind: 'resumed', at: now }], state))).toBe(true);
  });
});

describe('a refunded period', () => {
  const now = at('2026-02-28T10:00:00Z');
  const refunded: SubscriptionEvent = {
    kind: 'refunded',
    at: now,
    key: 'checkout_1',
    money: monthly.price,
    endsIt: true,
  };

  it('[RCB-02] ends at once', () => {
    const state = reduceEvents([refunded], paidPeriod());
    expect([isActive(state, now), canResume(state, now)]).toEqual([false, false]);
  });

  it('[RCB-02] does not affect the next period, paid by then', () => {
    const begin = getNextStep('s', paidPeriod(), now);
    const waiting = reduceEvents(
      [...(begin && 'events' in begin ? begin.events : []), refunded],
      paidPeriod(),
    );
    expect(getNextStep('s', waiting, now)).toMatchObject({ kind: 'find_charge' });
    const { state } = processDue(waiting, now, succeeded);
    expect([isActive(state, now), willRenew(state), canResume(state, now)]).toEqual([true, false, true]);
    expect(getAccessEnd(state)).toEqual(at('2026-03-31T10:00:00Z'));
  });
});

describe('another plan', () => {
  it('[RCB-02] starts with the next renewal, at its own price', () => {
    const chosen = reduceEvents([{ kind: 'plan_chosen', at: startedAt, terms: yearly }], paidPeriod());
    expect(chosen.terms).toEqual(monthly);
    const { state, events } = processDue(chosen, at('2026-02-28T10:00:00Z'), succeeded);
    expect(events[1]).toMatchObject({ kind: 'paid', money: { amount: 2700 } });
    expect(state).toMatchObject({ terms: yearly, nextTerms: null, expiresAt: at('2027-02-28T10:00:00Z') });
  });
});

describe('a granted subscription', () => {
  it.each([
    ['without an end', null, null],
    ['with an end', at('2026-03-01T00:00:00Z'), at('2026-03-01T00:00:00Z')],
  ])('%s does not renew', (_name, end, due) => {
    const state = reduceEvents(toGrantEvents(startedAt, end));
    expect([isActive(state, startedAt), willRenew(state), canCancel(state)]).toEqual([true, false, false]);
    expect(getDueAt(state)).toEqual(due);
    if (due) expect(isActive(processDue(state, due, succeeded).state, due)).toBe(false);
  });
});

describe('a confirmation', () => {
  const authenticationRequired: ChargeOutcome = { status: 'failed', reason: 'authentication_required' };
  const end = at('2026-02-28T10:00:00Z');
  const retriedAt = at('2026-03-02T10:00:00Z');
  const waiting = (outcome: ChargeOutcome, from = paidPeriod()) => processDue(from, end, outcome).state;
  const charging = (state: Subscription) => reduceEvents(toRetryEvents('s', state, retriedAt), state);

  it.each([
    ['nothing is owed', paidPeriod(), undefined, false],
    ['the bank asks', waiting(authenticationRequired), 's.1.1', true],
    ['the bank refused', waiting(declined), 's.1.1', false],
    [
      'the bank asks a second time',
      processDue(charging(waiting(authenticationRequired)), retriedAt, authenticationRequired).state,
      's.1.2',
      true,
    ],
    ['another charge is pending', charging(waiting(authenticationRequired)), 's.1.2', false],
    ['its owner cancelled', cancelled(waiting(authenticationRequired), retriedAt), undefined, false],
    [
      'it has ended',
      processDue(waiting(authenticationRequired), at('2026-03-07T10:00:00Z'), authenticationRequired).state,
      undefined,
      false,
    ],
  ])('[RCB-02] where %s', (_name, state, key, isNeeded) => {
    expect([getUnpaidCharge('s', state)?.key, needsConfirmation(state)]).toEqual([key, isNeeded]);
  });

  it('[RCB-02] is waited for seven days without a retry', () => {
    const state = waiting(authenticationRequired);
    expect([getDueAt(state), getAccessEnd(state)]).toEqual([
      at('2026-03-07T10:00:00Z'),
      at('2026-03-07T10:00:00Z'),
    ]);
  });

  it('[RCB-02] of a trial’s first charge has the same period', () => {
    const { state } = processDue(onTrial(), at('2026-02-03T10:00:00Z'), authenticationRequired);
    expect([state.endedAt, getAccessEnd(state)]).toEqual([null, at('2026-02-10T10:00:00Z')]);
  });

  it('[RCB-02] has one charge at a time', () => {
    expect(toRetryEvents('s', charging(waiting(authenticationRequired)), retriedAt)).toEqual([]);
    expect(toRetryEvents('s', paidPeriod(), retriedAt)).toEqual([]);
  });
});

describe('a subscription managed by the gateway', () => {
  const end = at('2026-02-28T10:00:00Z');
  const nextEnd = at('2026-03-31T10:00:00Z');
  const priced = { ...monthly, gatewayPrice: 'price_month' };
  const yearlyPriced = { ...yearly, gatewayPrice: 'price_year' };
  const startManaged = (fields: Partial<Parameters<typeof toStartEvents>[0]> = {}, isPaid = true) =>
    reduceEvents(
      toStartEvents(
        {
          terms: priced,
          isTrial: false,
          isSandbox: false,
          at: startedAt,
          gatewaySubscription: { id: 'sub_1', endsAt: end },
          ...fields,
        },
        isPaid ? { ...charge, money: { amount: 290, currency: 'USD' } } : undefined,
      ),
    );
  const payAtGateway = (price = 'price_month', amount = 290): ChargeOutcome => ({
    status: 'succeeded',
    reference: 'pi_2',
    paidPeriod: { money: { amount, currency: 'USD' }, startsAt: end, endsAt: nextEnd, price },
  });

  it('[RCB-02] is due when its period ends and keeps access for another hour', () => {
    expect([getDueAt(startManaged()), getAccessEnd(startManaged())]).toEqual([
      end,
      at('2026-02-28T11:00:00Z'),
    ]);
    expect(getNextStep('s', startManaged(), at('2026-02-28T09:59:59Z'))).toBeUndefined();
  });

  it('[RCB-02] cancelled, ends with its period', () => {
    expect(getAccessEnd(cancelled(startManaged(), startedAt))).toEqual(end);
  });

  it('[RCB-02] renews until the gateway’s date, for the gateway’s amount', () => {
    const { state, events } = processDue(startManaged(), end, payAtGateway());
    expect(events[1]).toMatchObject({ kind: 'paid', money: { amount: 290 }, reference: 'pi_2' });
    expect(state).toMatchObject({ purchasedAt: end, expiresAt: nextEnd, gatewaySubscription: 'sub_1' });
  });

  it.each([
    ['the chosen plan, when its price was paid', 'price_year', yearlyPriced, null],
    ['the current plan, when its price was paid', 'price_month', priced, yearlyPriced],
    ['the chosen plan, when the price is unknown', 'price_of_another_system', yearlyPriced, null],
  ])('[RCB-02] continues with %s', (_name, price, terms, nextTerms) => {
    const chosen = reduceEvents(
      [{ kind: 'plan_chosen', at: startedAt, terms: yearlyPriced }],
      startManaged(),
    );
    expect(processDue(chosen, end, payAtGateway(price)).state).toMatchObject({ terms, nextTerms });
  });

  it('[RCB-02] ended at the gateway, is cancelled here and ends with the paid period', () => {
    const { events } = processDue(startManaged(), end, { status: 'ended' });
    expect(events.map(({ kind }) => kind)).toEqual([
      'charge_begun',
      'charge_dropped',
      'cancelled',
      'expired',
    ]);
    const stopped = cancelled(reduceEvents([createChargeBegun()], startManaged()), end);
    expect(toChargeEvents(stopped, { key: 's.1.1', terms: priced }, { status: 'ended' }, end)).toMatchObject([
      { kind: 'charge_dropped' },
    ]);
  });

  it('[RCB-02] paid after its end, has a period from then and does not renew', () => {
    const retriedAt = at('2026-03-10T10:00:00Z');
    const { state: ended } = processDue(
      processDue(startManaged(), end, declined).state,
      at('2026-03-07T10:00:00Z'),
      declined,
    );
    const state = reduceEvents(
      toChargeEvents(ended, { key: 's.1.1', terms: priced }, payAtGateway(), retriedAt),
      ended,
    );
    expect(state).toMatchObject({
      purchasedAt: retriedAt,
      expiresAt: at('2026-04-10T10:00:00Z'),
      endedAt: null,
    });
    expect([willRenew(state), canResume(state, retriedAt)]).toEqual([false, true]);
  });

  it('[RCB-02] resumed, refers to the gateway’s new subscription', () => {
    const stopped = cancelled(startManaged(), startedAt);
    const resumed = { kind: 'resumed', at: startedAt } as const;
    expect(reduceEvents([resumed], stopped).gatewaySubscription).toBe('sub_1');
    expect(reduceEvents([{ ...resumed, gatewaySubscription: 'sub_2' }], stopped).gatewaySubscription).toBe(
      'sub_2',
    );
  });

  it('[RCB-02] on trial, ends at once when the card is refused', () => {
    const trialEnd = at('2026-02-03T10:00:00Z');
    const state = startManaged(
      {
        terms: { ...priced, trial: 'P3D' },
        isTrial: true,
        gatewaySubscription: { id: 'sub_1', endsAt: trialEnd },
      },
      false,
    );
    const { events } = processDue(state, trialEnd, declined);
    expect(events.slice(1)).toMatchObject([
      { kind: 'unpaid', graceEndsAt: null },
      { kind: 'expired', reason: 'unpaid' },
    ]);
  });

  function createChargeBegun(): SubscriptionEvent {
    return { kind: 'charge_begun', at: end, key: 's.1.1', terms: priced, attempt: 1 };
  }
});
