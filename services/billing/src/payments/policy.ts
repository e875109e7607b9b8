import {
  type Money,
  reduceEvents,
  type Subscription,
  type SubscriptionEvent,
} from '../subscriptions/events.ts';

/**
 * Returns the events of a refund; none when it is known. A full refund of the latest payment ends the period.
 *
 * @param charge - `refunded`: the amount recorded so far; `isLatest`: whether it paid for the current period
 */
export function toRefundEvents(
  charge: { key: string; money: Money; refunded: number; isLatest: boolean },
  totalRefunded: number,
  at: Date,
): SubscriptionEvent[] {
  const { key, money, refunded, isLatest } = charge;
  const total = Math.min(totalRefunded, money.amount);
  if (total <= refunded) return [];
  const refund = { amount: total - refunded, currency: money.currency };
  return [{ kind: 'refunded', at, key, money: refund, endsIt: isLatest && total === money.amount }];
}

/** Returns the amount of the refunds among events. */
export const sumRefunds = (events: readonly SubscriptionEvent[]): number =>
  events.reduce((sum, event) => (event.kind === 'refunded' ? sum + event.money.amount : sum), 0);

/** A dispute. `id`: the gateway's; `amount`: in the smallest unit. */
export interface Dispute {
  id: string;
  status: 'open' | 'won' | 'lost';
  amount: number;
}

type Paid = Extract<SubscriptionEvent, { kind: 'paid' }>;

const isOfDispute = (dispute: string) => (event: SubscriptionEvent) =>
  'dispute' in event && event.dispute === dispute;

/** Returns the ids of the disputes among events that are open. */
export function findOpenDisputes(events: readonly SubscriptionEvent[]): string[] {
  const closed = new Set(events.flatMap((event) => (event.kind === 'dispute_closed' ? [event.dispute] : [])));
  return events.flatMap((event) =>
    event.kind === 'disputed' && !closed.has(event.dispute) ? [event.dispute] : [],
  );
}

/**
 * Returns the end of the suspended period once no dispute is open, extended by the time it was suspended; null where it stays
 * closed. The disputes of its payment must be won; where it has none, those of earlier payments.
 */
function getReopenedEnd(
  { expiresAt, endedAt }: Subscription,
  events: readonly SubscriptionEvent[],
  at: Date,
): Date | null {
  if (events.findLast((event) => event.kind === 'expired')?.reason !== 'disputed') return null;
  if (!expiresAt || !endedAt || expiresAt <= endedAt || findOpenDisputes(events).length > 0) return null;
  const closed = events.filter((event) => event.kind === 'dispute_closed');
  const latest = events.findLast((event) => event.kind === 'paid')?.key;
  const ofLatest = closed.filter(({ key }) => key === latest);
  const isWon = (ofLatest.length > 0 ? ofLatest : closed).every(({ outcome }) => outcome === 'won');
  return isWon ? new Date(at.getTime() + expiresAt.getTime() - endedAt.getTime()) : null;
}

/**
 * Returns the events of a dispute; none for what is known, so that repeated, late and unordered reports are harmless. A
 * dispute ends the subscription at once; a lost one refunds its payment. The last one to close may reopen the subscription.
 */
export function toDisputeEvents(
  state: Subscription,
  events: readonly SubscriptionEvent[],
  { key, money }: Paid,
  { id: dispute, status, amount }: Dispute,
  at: Date,
): SubscriptionEvent[] {
  const known = events.filter(isOfDispute(dispute));
  if (known.some(({ kind }) => kind === 'dispute_closed')) return [];
  const about = { at, key, dispute };
  const disputed: SubscriptionEvent = { kind: 'disputed', ...about, money: { ...money, amount } };
  const ended: SubscriptionEvent[] = state.endedAt ? [] : [{ kind: 'expired', at, reason: 'disputed' }];
  const opening = known.length > 0 ? [] : [disputed, ...ended];
  if (status === 'open') return opening;
  const closing: SubscriptionEvent = { kind: 'dispute_closed', ...about, outcome: status, endsAt: null };
  const suspended = opening.length > 0 ? reduceEvents(opening, state) : state;
  const endsAt = getReopenedEnd(suspended, [...events, ...opening, closing], at);
  const refunded = sumRefunds(events.filter((event) => event.kind === 'refunded' && event.key === key));
  const refund = { ...money, amount: Math.min(amount, money.amount - refunded) };
  const refundEvents: SubscriptionEvent[] =
    status === 'lost' && refund.amount > 0
      ? [{ kind: 'refunded', ...about, money: refund, endsIt: false }]
      : [];
  return [...opening, { ...closing, endsAt }, ...refundEvents];
}
