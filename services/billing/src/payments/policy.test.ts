import { describe, expect, it } from 'vitest';
import { reduceEvents, type SubscriptionEvent, type Terms } from '../subscriptions/events.ts';
import {
  canResume,
  getAccessEnd,
  getNextStep,
  isActive,
  toStartEvents,
  willRenew,
} from '../subscriptions/policy.ts';
import { type Dispute, toDisputeEvents, toRefundEvents } from './policy.ts';

const day = (text: string) => new Date(`${text}T10:00:00Z`);
const [startedAt, now, closedAt] = [day('2026-01-31'), day('2026-02-10'), day('2026-03-20')];
const price = { amount: 300, currency: 'USD' };
const terms: Terms = { product: 'monthly', option: 'base_option', price, period: 'P1M', trial: null };
const purchase = toStartEvents(
  { terms, isTrial: false, isSandbox: true, at: startedAt },
  { key: 'k', reference: 'r' },
);
const running = reduceEvents(purchase);
const payment = {
  kind: 'paid',
  at: startedAt,
  key: 'k',
  product: 'monthly',
  money: price,
  reference: 'r',
} as const;

describe('a refund', () => {
  const paid = { key: 'k', money: { amount: 300, currency: 'USD' }, refunded: 0, isLatest: true };

  it.each([
    ['a full refund ends the period', paid, 300, [{ money: { amount: 300 }, endsIt: true }]],
    ['a partial refund does not', paid, 100, [{ money: { amount: 100 }, endsIt: false }]],
    [
      'a refund of the rest does',
      { ...paid, refunded: 100 },
      300,
      [{ money: { amount: 200 }, endsIt: true }],
    ],
    ['a known refund changes nothing', { ...paid, refunded: 300 }, 300, []],
    ['an earlier report changes nothing', { ...paid, refunded: 200 }, 100, []],
    ['more than was paid refunds what was paid', paid, 900, [{ money: { amount: 300 } }]],
    ['a refund of an older period ends nothing', { ...paid, isLatest: false }, 300, [{ endsIt: false }]],
  ])('[RCB-02] %s', (_name, charge, totalRefunded, events) => {
    expect(toRefundEvents(charge, totalRefunded, now)).toMatchObject(events);
  });

  it('[RCB-02] ends the period that it paid for', () => {
    const state = reduceEvents(toRefundEvents(paid, 300, now), running);
    expect([isActive(state, now), getAccessEnd(state)]).toEqual([false, now]);
    expect(getNextStep('s', state, now)).toMatchObject({ kind: 'expire', events: [{ reason: 'refunded' }] });
  });
});

describe('a dispute', () => {
  const about = (status: Dispute['status'], id = 'd', amount = 300): Dispute => ({ id, status, amount });

  /** Applies reports of disputes one after another. Returns the events and the state. */
  function applyReports(...reports: (readonly [Dispute, Date])[]) {
    let events: SubscriptionEvent[] = purchase;
    for (const [dispute, at] of reports) {
      events = [...events, ...toDisputeEvents(reduceEvents(events), events, payment, dispute, at)];
    }
    const kinds = events.slice(purchase.length).map(({ kind }) => kind);
    return { events, kinds, state: reduceEvents(events) };
  }
  const opening = ['disputed', 'expired'];

  it.each([
    ['opened', [[about('open'), now]], opening],
    [
      'opened twice',
      [
        [about('open'), now],
        [about('open'), closedAt],
      ],
      opening,
    ],
    [
      'opened and won',
      [
        [about('open'), now],
        [about('won'), closedAt],
      ],
      [...opening, 'dispute_closed'],
    ],
    ['won without an earlier report', [[about('won'), now]], [...opening, 'dispute_closed']],
    [
      'won twice',
      [
        [about('won'), now],
        [about('won'), closedAt],
      ],
      [...opening, 'dispute_closed'],
    ],
    [
      'opened and lost',
      [
        [about('open'), now],
        [about('lost'), closedAt],
      ],
      [...opening, 'dispute_closed', 'refunded'],
    ],
    ['lost without an earlier report', [[about('lost'), now]], [...opening, 'dispute_closed', 'refunded']],
    [
      'lost, then opened',
      [
        [about('lost'), now],
        [about('open'), closedAt],
      ],
      [...opening, 'dispute_closed', 'refunded'],
    ],
    [
      'a second one while the first is open',
      [
        [about('open'), now],
        [about('open', 'e'), closedAt],
      ],
      [...opening, 'disputed'],
    ],
  ] satisfies [string, [Dispute, Date][], string[]][])('[RCB-02] %s', (_name, reports, kinds) => {
    expect(applyReports(...reports).kinds).toEqual(kinds);
  });

  it('[RCB-02] ends access at once while it is open', () => {
    const { state } = applyReports([about('open'), now]);
    expect([isActive(state, now), willRenew(state), getNextStep('s', state, closedAt)]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  it('[RCB-02] won restores the paid time that was lost and renews nothing', () => {
    const { state } = applyReports([about('open'), now], [about('won'), closedAt]);
    // From 10 to 28 February.
    expect(getAccessEnd(state)).toEqual(day('2026-04-07'));
    expect([willRenew(state), canResume(state, closedAt)]).toEqual([false, true]);
  });

  it('[RCB-02] restores access only when all are won', () => {
    const first = applyReports([about('open'), now], [about('open', 'e'), now], [about('won'), closedAt]);
    expect(isActive(first.state, closedAt)).toBe(false);
    const all = applyReports(
      [about('open'), now],
      [about('open', 'e'), now],
      [about('won'), closedAt],
      [about('won', 'e'), closedAt],
    );
    expect(isActive(all.state, closedAt)).toBe(true);
    const one = applyReports(
      [about('open'), now],
      [about('open', 'e'), now],
      [about('won'), closedAt],
      [about('lost', 'e'), closedAt],
    );
    expect(isActive(one.state, closedAt)).toBe(false);
  });

  it('[RCB-02] lost refunds the disputed amount, at most what is left', () => {
    const { events } = applyReports([about('lost', 'd', 200), now]);
    expect(events.at(-1)).toMatchObject({
      kind: 'refunded',
      money: { amount: 200 },
      dispute: 'd',
      endsIt: false,
    });
    const refund: SubscriptionEvent = {
      kind: 'refunded',
      at: now,
      key: 'k',
      money: { ...price, amount: 250 },
      endsIt: false,
    };
    const rest = toDisputeEvents(running, [...purchase, refund], payment, about('lost'), now);
    expect(rest.at(-1)).toMatchObject({ kind: 'refunded', money: { amount: 50 } });
  });

  it('[RCB-02] of an ended subscription restores nothing when won', () => {
    const ended: SubscriptionEvent[] = [
      ...purchase,
      { kind: 'expired', at: day('2026-02-28'), reason: 'cancelled' },
    ];
    const won = toDisputeEvents(reduceEvents(ended), ended, payment, about('won'), closedAt);
    expect(won).toMatchObject([
      { kind: 'disputed' },
      { kind: 'dispute_closed', outcome: 'won', endsAt: null },
    ]);
  });
});
