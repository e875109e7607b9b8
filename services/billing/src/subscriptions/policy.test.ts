import { describe, expect, it } from 'vitest';
import {
  at,
  cancelled,
  declined,
  monthly,
  onTrial,
  paidPeriod,
  processDue,
  startedAt,
  succeeded,
  yearly,
} from '../testing/subscriptions.ts';
import { reduceEvents, type SubscriptionEvent } from './events.ts';
import { addPeriods } from './period.ts';
import {
  canCancel,
  canResume,
  getAccessEnd,
  getDueAt,
  getNextStep,
  isActive,
  toChargeEvents,
  toGrantEvents,
  willRenew,
} from './policy.ts';

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
