import { describe, expect, it } from 'vitest';
import type { Subscription, SubscriptionEvent, Terms } from './events.ts';
import { toGatewaySchedule, toGatewayStateEvents } from './gateway-schedule.ts';
import { toStartEvents } from './policy.ts';
import { reduceEvents } from './state.ts';

const [begun, now, end] = ['2026-01-31', '2026-02-10', '2026-02-28'].map(
  (day) => new Date(`${day}T10:00:00Z`),
);
if (!begun || !now || !end) throw new Error('There are three days');
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
    { terms: monthly, isTrial: false, isSandbox: false, at: begun, gatewaySubscription },
    { key: 'k', reference: 'r' },
  ),
);
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
    ['goes on', running, { cancelAtPeriodEnd: false, next: null }],
    ['is cancelled', after(cancelled), { cancelAtPeriodEnd: true, next: null }],
    ['has another plan chosen', after(chosen), { cancelAtPeriodEnd: false, next: yearly }],
    [
      'has another plan chosen and is cancelled',
      after(chosen, cancelled),
      { cancelAtPeriodEnd: true, next: null },
    ],
    [
      'is resumed with that plan',
      after(chosen, cancelled, { kind: 'resumed', at: now }),
      { cancelAtPeriodEnd: false, next: yearly },
    ],
  ])('[RCB-02] that %s', (_name, state, arrangement) => {
    expect(toGatewaySchedule(state)).toEqual(arrangement);
  });
});

describe('changes made at the gateway', () => {
  const goesOn = { hasEnded: false, cancelAtPeriodEnd: false, price: 'price_month' };
  const ends = { ...goesOn, cancelAtPeriodEnd: true };
  const over = { ...goesOn, hasEnded: true };
  const atYear = { ...goesOn, price: 'price_year' };
  const stopped = { kind: 'cancelled', by: 'gateway' };
  const findTermsByPrice = (price: string) =>
    [monthly, yearly].find(({ gatewayPrice }) => gatewayPrice === price);

  it.each([
    ['nothing', running, goesOn, []],
    ['cancelled there', running, ends, [stopped]],
    ['cancelled there, as is known', after(cancelled), ends, []],
    ['ended there', running, over, [stopped]],
    ['ended there, as is known', after(cancelled), over, []],
    ['resumed there', after(cancelled), goesOn, [{ kind: 'resumed' }]],
    ['resumed there what was given back here', after(refunded), goesOn, []],
    ['anything about what has ended here', after(expired), goesOn, []],
    ['another plan there', running, atYear, [{ kind: 'plan_chosen', terms: yearly }]],
    ['another plan there, as is known', after(chosen), atYear, []],
    ['the plan that runs, there', after(chosen), goesOn, [{ kind: 'plan_chosen', terms: null }]],
    ['a price there that is not for sale', running, { ...goesOn, price: 'price_gone' }, []],
    ['cancelled there with another plan', running, { ...atYear, cancelAtPeriodEnd: true }, [stopped]],
  ])('[RCB-02] %s', (_name, state, standing, events) => {
    expect(toGatewayStateEvents(state, standing, findTermsByPrice, now)).toMatchObject(events);
    expect(toGatewayStateEvents(state, standing, findTermsByPrice, now)).toHaveLength(events.length);
  });

  it('[RCB-02] are recorded once', () => {
    for (const standing of [ends, over, atYear]) {
      const once = reduceEvents(toGatewayStateEvents(running, standing, findTermsByPrice, now), running);
      expect(toGatewayStateEvents(once, standing, findTermsByPrice, now)).toEqual([]);
    }
  });

  it('[RCB-02] do not resume it once its period is over', () => {
    expect(toGatewayStateEvents(after(cancelled), goesOn, findTermsByPrice, end)).toEqual([]);
  });
});
