import { describe, expect, it } from 'vitest';
import { reduceEvents, type Subscription, type SubscriptionEvent, type Terms } from './events.ts';
import { toGatewaySchedule, toGatewayStateEvents } from './gateway-schedule.ts';
import { toStartEvents } from './policy.ts';

const [startedAt, now, end] = ['2026-01-31', '2026-02-10', '2026-02-28'].map(
  (day) => new Date(`${day}T10:00:00Z`),
);
if (!startedAt || !now || !end) throw new Error('A date is missing');
const monthly: Terms = {
  product: 'monthly',
  option: 'base_option',
  price: { amount: 300, currency: 'USD' },
  period: 'P1M',
  trial: null,
  gatewayPrice: 'price_month',
};
const yearly: Terms = { ...monthly, product: 'yearly', period: 'P1Y', gatewayPrice: 'price_year' };
const gatewaySubscription = { id: 'sub_1', endsAt: end };
const running = reduceEvents(
  toStartEvents(
    { terms: monthly, isTrial: false, isSandbox: false, at: startedAt, gatewaySubscription },
    { key: 'k', reference: 'r' },
  ),
);
const { gatewayPrice: _, ...unknownPrice } = monthly;
const boughtEarly: Subscription = { ...running, terms: unknownPrice };
const after = (...events: SubscriptionEvent[]): Subscription => reduceEvents(events, running);
const cancelled: SubscriptionEvent = { kind: 'cancelled', at: now, by: 'user' };
const chosen: SubscriptionEvent = { kind: 'plan_chosen', at: now, terms: yearly };
const refunded: SubscriptionEvent = {
  kind: 'refunded',
  at: now,
  key: 'k',
  money: monthly.price,
  endsIt: true,
};
const expired: SubscriptionEvent = { kind: 'expired', at: now, reason: 'unpaid' };

describe('the schedule sent to the gateway', () => {
  it.each([
    ['renews', running, { cancelAtPeriodEnd: false, next: null, current: monthly }],
    ['is cancelled', after(cancelled), { cancelAtPeriodEnd: true, next: null, current: monthly }],
    ['has another plan chosen', after(chosen), { cancelAtPeriodEnd: false, next: yearly, current: monthly }],
    [
      'has another plan chosen and is cancelled',
      after(chosen, cancelled),
      { cancelAtPeriodEnd: true, next: null, current: monthly },
    ],
    [
      'is resumed with that plan',
      after(chosen, cancelled, { kind: 'resumed', at: now }),
      { cancelAtPeriodEnd: false, next: yearly, current: monthly },
    ],
  ])('[RCB-02] that %s', (_name, state, schedule) => {
    expect(toGatewaySchedule(state)).toEqual(schedule);
  });
});

describe('changes made at the gateway', () => {
  const renewing = { hasEnded: false, cancelAtPeriodEnd: false, price: 'price_month' };
  const ends = { ...renewing, cancelAtPeriodEnd: true };
  const over = { ...renewing, hasEnded: true };
  const atYear = { ...renewing, price: 'price_year' };
  const stopped = { kind: 'cancelled', by: 'gateway' };
  const findTermsByPrice = (price: string) =>
    [monthly, yearly].find(({ gatewayPrice }) => gatewayPrice === price);

  it.each([
    ['no change', running, renewing, []],
    ['cancelled', running, ends, [stopped]],
    ['cancelled, as recorded', after(cancelled), ends, []],
    ['ended', running, over, [stopped]],
    ['ended, as recorded', after(cancelled), over, []],
    ['resumed', after(cancelled), renewing, [{ kind: 'resumed' }]],
    ['resumed after a refund', after(refunded), renewing, []],
    ['any change after the end', after(expired), renewing, []],
    ['another plan', running, atYear, [{ kind: 'plan_chosen', terms: yearly }]],
    ['another plan, as recorded', after(chosen), atYear, []],
    ['the current plan', after(chosen), renewing, [{ kind: 'plan_chosen', terms: null }]],
    ['a price that is not for sale', running, { ...renewing, price: 'price_gone' }, []],
    ['the plan bought before prices were read', boughtEarly, renewing, []],
    ['another plan than that', boughtEarly, atYear, [{ kind: 'plan_chosen', terms: yearly }]],
    [
      'that plan instead of another one',
      { ...boughtEarly, nextTerms: yearly },
      renewing,
      [{ kind: 'plan_chosen', terms: null }],
    ],
    ['cancelled with another plan', running, { ...atYear, cancelAtPeriodEnd: true }, [stopped]],
  ])('[RCB-02] %s', (_name, state, gatewayState, events) => {
    expect(toGatewayStateEvents(state, gatewayState, findTermsByPrice, now)).toMatchObject(events);
    expect(toGatewayStateEvents(state, gatewayState, findTermsByPrice, now)).toHaveLength(events.length);
  });

  it('[RCB-02] are recorded once', () => {
    for (const gatewayState of [ends, over, atYear]) {
      const once = reduceEvents(toGatewayStateEvents(running, gatewayState, findTermsByPrice, now), running);
      expect(toGatewayStateEvents(once, gatewayState, findTermsByPrice, now)).toEqual([]);
    }
  });

  it('[RCB-02] do not resume it once its period is over', () => {
    expect(toGatewayStateEvents(after(cancelled), renewing, findTermsByPrice, end)).toEqual([]);
  });
});
