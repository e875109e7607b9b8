import type { Money, Subscription, SubscriptionEvent } from '../subscriptions/events.ts';
import { reduceEvents } from '../subscriptions/state.ts';

/**
 * What was given back of a charge. In: the charge, what was given back of it before, whether it paid for the period
 * that runs; what is given back in all; the time. Out: nothing where that was known. All of it ends the period.
 */
export function toRefundEvents(
  charge: { key: string; money: Money; refunded: number; isLatest: boolean },
  refundedInAll: number,
  at: Date,
): SubscriptionEvent[] {
  const { key, money, refunded, isLatest } = charge;
  const inAll = Math.min(refundedInAll, money.amount);
  if (inAll <= refunded) return [];
  const given = { amount: inAll - refunded, currency: money.currency };
  return [{ kind: 'refunded', at, key, money: given, endsIt: isLatest && inAll === money.amount }];
}

/** A dispute by the gateway's name for it, and how it stands. `amount`: what is disputed, in the smallest unit. */
export interface Dispute {
  id: string;
  status: 'open' | 'won' | 'lost';
  amount: number;
}

type Paid = Extract<SubscriptionEvent, { kind: 'paid' }>;

const isAbout = (dispute: string) => (event: SubscriptionEvent) =>
  'dispute' in event && event.dispute === dispute;

/** Whether another dispute about the same subscription waits to be closed. */
function isDisputedElse(events: readonly SubscriptionEvent[], id: string): boolean {
  const closed = new Set(events.flatMap((event) => (event.kind === 'dispute_closed' ? [event.dispute] : [])));
  return events.some(
    (event) => event.kind === 'disputed' && event.dispute !== id && !closed.has(event.dispute),
  );
}

/** What is won opens the door for as long as it was shut while it was paid for. */
function reopenedUntil({ expiresAt, disputedAt }: Subscription, at: Date): Date | null {
  const left = expiresAt && disputedAt ? expiresAt.getTime() - disputedAt.getTime() : 0;
  return left > 0 ? new Date(at.getTime() + left) : null;
}

/**
 * What a dispute about a payment means. In: the subscription, all that happened to it, the payment, how the dispute
 * stands, the time. Out: nothing where that was known, so that it may be told twice, late or only of its end. It ends the
 * subscription at once; one that is won opens it again, one that is lost has the payment given back.
 */
export function toDisputeEvents(
  state: Subscription,
  events: readonly SubscriptionEvent[],
  { key, money }: Paid,
  { id: dispute, status, amount }: Dispute,
  at: Date,
): SubscriptionEvent[] {
  const known = events.filter(isAbout(dispute));
  if (known.some(({ kind }) => kind === 'dispute_closed')) return [];
  const about = { at, key, dispute };
  const disputed: SubscriptionEvent = { kind: 'disputed', ...about, money: { ...money, amount } };
  const ended: SubscriptionEvent[] = state.endedAt ? [] : [{ kind: 'expired', at, reason: 'disputed' }];
  const opening = known.length > 0 ? [] : [disputed, ...ended];
  if (status === 'open') return opening;
  const shut = opening.length > 0 ? reduceEvents(opening, state) : state;
  if (status === 'won') {
    const endsAt = isDisputedElse(events, dispute) ? null : reopenedUntil(shut, at);
    return [...opening, { kind: 'dispute_closed', ...about, outcome: 'won', endsAt }];
  }
  const refunded = events.reduce(
    (sum, event) => (event.kind === 'refunded' && event.key === key ? sum + event.money.amount : sum),
    0,
  );
  const given = { ...money, amount: Math.min(amount, money.amount - refunded) };
  const back: SubscriptionEvent[] =
    given.amount > 0 ? [{ kind: 'refunded', ...about, money: given, endsIt: false }] : [];
  return [...opening, { kind: 'dispute_closed', ...about, outcome: 'lost', endsAt: null }, ...back];
}
