import { describe, expect, it } from 'vitest';
import { arrangementOf, standingFacts } from './arrangement.ts';
import type { Fact, Subscription, Terms } from './facts.ts';
import { beginning } from './policy.ts';
import { stateOf } from './state.ts';

const [begun, now, end] = ['2026-01-31', '2026-02-10', '2026-02-28'].map(
  (day) => new Date(`${day}T10:00:00Z`),
);
if (!begun || !now || !end) throw new Error('There are three days');
const monthly: Terms = {
  ...{ product: 'monthly', option: 'base_option', price: { amount: 300, currency: 'USD' } },
  ...{ period: 'P1M', trial: null, gatewayPrice: 'price_month' },
};
const yearly: Terms = { ...monthly, product: 'yearly', period: 'P1Y', gatewayPrice: 'price_year' };
const kept = { subscription: 'sub_1', endsAt: end };
const running = stateOf(
  beginning(
    { terms: monthly, isTrial: false, isSandbox: false, at: begun, kept },
    { key: 'k', reference: 'r' },
  ),
);
const after = (...facts: Fact[]): Subscription => stateOf(facts, running);
const cancelled: Fact = { kind: 'cancelled', at: now, by: 'reader' };
const chosen: Fact = { kind: 'plan_chosen', at: now, terms: yearly };
const refunded: Fact = { kind: 'refunded', at: now, key: 'k', money: monthly.price, endsIt: true };
const expired: Fact = { kind: 'expired', at: now, reason: 'unpaid' };

describe('what a gateway is told of a subscription', () => {
  it.each([
    ['goes on', running, { cancelsAtEnd: false, next: null }],
    ['is cancelled', after(cancelled), { cancelsAtEnd: true, next: null }],
    ['has another plan chosen', after(chosen), { cancelsAtEnd: false, next: yearly }],
    [
      'has another plan chosen and is cancelled',
      after(chosen, cancelled),
      { cancelsAtEnd: true, next: null },
    ],
    [
      'is resumed with that plan',
      after(chosen, cancelled, { kind: 'resumed', at: now }),
      { cancelsAtEnd: false, next: yearly },
    ],
  ])('[RCB-02] that %s', (_name, state, arrangement) => {
    expect(arrangementOf(state)).toEqual(arrangement);
  });
});

describe('what was changed at the gateway', () => {
  const goesOn = { isOver: false, cancelsAtEnd: false, price: 'price_month' };
  const ends = { ...goesOn, cancelsAtEnd: true };
  const over = { ...goesOn, isOver: true };
  const atYear = { ...goesOn, price: 'price_year' };
  const stopped = { kind: 'cancelled', by: 'gateway' };
  const termsOfPrice = (price: string) =>
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
    ['cancelled there with another plan', running, { ...atYear, cancelsAtEnd: true }, [stopped]],
  ])('[RCB-02] %s', (_name, state, standing, facts) => {
    expect(standingFacts(state, standing, termsOfPrice, now)).toMatchObject(facts);
    expect(standingFacts(state, standing, termsOfPrice, now)).toHaveLength(facts.length);
  });

  it('[RCB-02] is written down once', () => {
    for (const standing of [ends, over, atYear]) {
      const once = stateOf(standingFacts(running, standing, termsOfPrice, now), running);
      expect(standingFacts(once, standing, termsOfPrice, now)).toEqual([]);
    }
  });

  it('[RCB-02] is resumed no more once its period is over', () => {
    expect(standingFacts(after(cancelled), goesOn, termsOfPrice, end)).toEqual([]);
  });
});
