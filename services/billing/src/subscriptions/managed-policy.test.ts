import { describe, expect, it } from 'vitest';
import { toNotificationEmails } from '../notification-emails/policy.ts';
import {
  at,
  cancelled,
  charge,
  declined,
  monthly,
  onTrial,
  paidPeriod,
  processDue,
  startedAt,
  yearly,
} from '../testing/subscriptions.ts';
import { reduceEvents, type Subscription, type SubscriptionEvent } from './events.ts';
import {
  type ChargeOutcome,
  canChangePlan,
  canResume,
  getAccessEnd,
  getDueAt,
  getNextCharge,
  getNextStep,
  getUnpaidCharge,
  needsConfirmation,
  toChargeEvents,
  toRetryEvents,
  toStartEvents,
  willRenew,
} from './policy.ts';

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

  it('[RCB-02] refused, owes the plan it began with, whatever is chosen afterwards', () => {
    const refused = processDue(startManaged(), end, declined).state;
    const chosen = reduceEvents([{ kind: 'plan_chosen', at: end, terms: yearlyPriced }], refused);
    expect(getUnpaidCharge('s', chosen)?.terms).toEqual(priced);
    const retried = processDue(chosen, at('2026-03-01T10:00:00Z'), declined);
    expect(retried.events[0]).toMatchObject({ kind: 'charge_begun', terms: priced });
    expect(toNotificationEmails(chosen, [{ kind: 'expired', at: nextEnd, reason: 'unpaid' }])).toMatchObject([
      { kind: 'ended', money: priced.price },
    ]);
    const paid = processDue(retried.state, at('2026-03-03T10:00:00Z'), payAtGateway()).state;
    expect(paid).toMatchObject({ terms: priced, nextTerms: yearlyPriced, unpaidTerms: null });
    expect(getNextCharge('s', paid)?.terms).toEqual(yearlyPriced);
  });

  it.each([
    ['the current plan, and another one is chosen', priced, yearlyPriced, true],
    ['the chosen plan', yearlyPriced, yearlyPriced, false],
    ['a plan that an earlier version did not record', null, yearlyPriced, true],
  ])('[RCB-02] that owes %s: may its owner choose again', (_name, unpaidTerms, nextTerms, expected) => {
    const refused = processDue(startManaged(), end, declined).state;
    expect(canChangePlan({ ...refused, unpaidTerms, nextTerms }, end)).toBe(expected);
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
