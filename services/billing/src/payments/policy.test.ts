import { describe, expect, it } from 'vitest';
import type { SubscriptionEvent, Terms } from '../subscriptions/events.ts';
import {
  canResume,
  getAccessEnd,
  getNextStep,
  isActive,
  toStartEvents,
  willRenew,
} from '../subscriptions/policy.ts';
import { reduceEvents } from '../subscriptions/state.ts';
import { type Dispute, toDisputeEvents, toRefundEvents } from './policy.ts';

const day = (text: string) => new Date(`${text}T10:00:00Z`);
const [begun, now, later] = [day('2026-01-31'), day('2026-02-10'), day('2026-03-20')];
const price = { amount: 300, currency: 'USD' };
const terms: Terms = { product: 'monthly', option: 'base_option', price, period: 'P1M', trial: null };
const life = toStartEvents(
  { terms, isTrial: false, isSandbox: true, at: begun },
  { key: 'k', reference: 'r' },
);
const running = reduceEvents(life);
const payment = {
  kind: 'paid',
  at: begun,
  key: 'k',
  product: 'monthly',
  money: price,
  reference: 'r',
} as const;

describe('a refund', () => {
  const paid = { key: 'k', money: { amount: 300, currency: 'USD' }, refunded: 0, isLatest: true };

  it.each([
    ['all of it ends the period', paid, 300, [{ money: { amount: 300 }, endsIt: true }]],
    ['a part of it does not', paid, 100, [{ money: { amount: 100 }, endsIt: false }]],
    ['the rest of it does', { ...paid, refunded: 100 }, 300, [{ money: { amount: 200 }, endsIt: true }]],
    ['what is known changes nothing', { ...paid, refunded: 300 }, 300, []],
    ['less than is known changes nothing', { ...paid, refunded: 200 }, 100, []],
    ['more than was paid is what was paid', paid, 900, [{ money: { amount: 300 } }]],
    ['an older period is none that runs', { ...paid, isLatest: false }, 300, [{ endsIt: false }]],
  ])('[RCB-02] %s', (_name, charge, inAll, events) => {
    expect(toRefundEvents(charge, inAll, now)).toMatchObject(events);
  });

  it('[RCB-02] ends what it paid for', () => {
    const state = reduceEvents(toRefundEvents(paid, 300, now), running);
    expect([isActive(state, now), getAccessEnd(state)]).toEqual([false, now]);
    expect(getNextStep('s', state, now)).toMatchObject({ kind: 'expire', events: [{ reason: 'refunded' }] });
  });
});

describe('a dispute', () => {
  const about = (status: Dispute['status'], id = 'd', amount = 300): Dispute => ({ id, status, amount });

  /** What is written down when disputes are told one after another, and what it comes to. */
  function told(...notification: (readonly [Dispute, Date])[]) {
    let events: SubscriptionEvent[] = life;
    for (const [dispute, at] of notification) {
      events = [...events, ...toDisputeEvents(reduceEvents(events), events, payment, dispute, at)];
    }
    const kinds = events.slice(life.length).map(({ kind }) => kind);
    return { events, kinds, state: reduceEvents(events) };
  }
  const shutting = ['disputed', 'expired'];

  it.each([
    ['opened', [[about('open'), now]], shutting],
    [
      'opened twice',
      [
        [about('open'), now],
        [about('open'), later],
      ],
      shutting,
    ],
    [
      'opened and won',
      [
        [about('open'), now],
        [about('won'), later],
      ],
      [...shutting, 'dispute_closed'],
    ],
    ['won, told alone', [[about('won'), now]], [...shutting, 'dispute_closed']],
    [
      'won twice',
      [
        [about('won'), now],
        [about('won'), later],
      ],
      [...shutting, 'dispute_closed'],
    ],
    [
      'opened and lost',
      [
        [about('open'), now],
        [about('lost'), later],
      ],
      [...shutting, 'dispute_closed', 'refunded'],
    ],
    ['lost, told alone', [[about('lost'), now]], [...shutting, 'dispute_closed', 'refunded']],
    [
      'lost, and opened after that',
      [
        [about('lost'), now],
        [about('open'), later],
      ],
      [...shutting, 'dispute_closed', 'refunded'],
    ],
    [
      'a second one, while the first is open',
      [
        [about('open'), now],
        [about('open', 'e'), later],
      ],
      [...shutting, 'disputed'],
    ],
  ] satisfies [string, [Dispute, Date][], string[]][])('[RCB-02] %s', (_name, notification, kinds) => {
    expect(told(...notification).kinds).toEqual(kinds);
  });

  it('[RCB-02] ends access at once while it is open', () => {
    const { state } = told([about('open'), now]);
    expect([isActive(state, now), willRenew(state), getNextStep('s', state, later)]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  it('[RCB-02] won restores the paid time that was lost and renews nothing', () => {
    const { state } = told([about('open'), now], [about('won'), later]);
    // From 10 to 28 February.
    expect(getAccessEnd(state)).toEqual(day('2026-04-07'));
    expect([willRenew(state), canResume(state, later)]).toEqual([false, true]);
  });

  it('[RCB-02] restores access only when all are won', () => {
    const first = told([about('open'), now], [about('open', 'e'), now], [about('won'), later]);
    expect(isActive(first.state, later)).toBe(false);
    const all = told(
      [about('open'), now],
      [about('open', 'e'), now],
      [about('won'), later],
      [about('won', 'e'), later],
    );
    expect(isActive(all.state, later)).toBe(true);
    const one = told(
      [about('open'), now],
      [about('open', 'e'), now],
      [about('won'), later],
      [about('lost', 'e'), later],
    );
    expect(isActive(one.state, later)).toBe(false);
  });

  it('[RCB-02] lost refunds the disputed amount, at most what is left', () => {
    const { events } = told([about('lost', 'd', 200), now]);
    expect(events.at(-1)).toMatchObject({
      kind: 'refunded',
      money: { amount: 200 },
      dispute: 'd',
      endsIt: false,
    });
    const given: SubscriptionEvent = {
      kind: 'refunded',
      at: now,
      key: 'k',
      money: { ...price, amount: 250 },
      endsIt: false,
    };
    const rest = toDisputeEvents(running, [...life, given], payment, about('lost'), now);
    expect(rest.at(-1)).toMatchObject({ kind: 'refunded', money: { amount: 50 } });
  });

  it('[RCB-02] of an ended subscription restores nothing when won', () => {
    const ended: SubscriptionEvent[] = [
      ...life,
      { kind: 'expired', at: day('2026-02-28'), reason: 'cancelled' },
    ];
    const won = toDisputeEvents(reduceEvents(ended), ended, payment, about('won'), later);
    expect(won).toMatchObject([
      { kind: 'disputed' },
      { kind: 'dispute_closed', outcome: 'won', endsAt: null },
    ]);
  });
});
