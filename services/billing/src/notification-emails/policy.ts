import * as z from 'zod/mini';
import { money, type Subscription, type SubscriptionEvent } from '../subscriptions/events.ts';
import { AUTHENTICATION_REQUIRED } from '../subscriptions/policy.ts';

const SECOND = 1000;

/**
 * What a subscriber is told: a renewal could not be paid and is tried again; the bank wants them to confirm it; it was
 * tried for the last time; the subscription has ended for it, or because the card's bank wants a payment back; money was
 * given back, ref may have ended it. `until`: how long the door stays open, by the subscriber's clock.
 */
export const notice = z.object({
  kind: z.enum(['unpaid', 'confirm', 'last_try', 'ended', 'disputed', 'refunded', 'refund_ended']),
  money,
  until: z.nullable(z.string()),
});
export type NotificationEmail = z.infer<typeof notice>;

/** What a subscriber is told of money that goes back. What the bank takes back after a dispute, the bank tells. */
function goneBack(event: SubscriptionEvent, events: readonly SubscriptionEvent[]): NotificationEmail[] {
  if (event.kind === 'refunded' && !event.dispute)
    return [{ kind: event.endsIt ? 'refund_ended' : 'refunded', money: event.money, until: null }];
  const isEnded = events.some((other) => other.kind === 'expired' && other.reason === 'disputed');
  // One that is heard of only when it is won takes nothing away.
  const isWon = events.some((other) => other.kind === 'dispute_closed' && other.endsAt !== null);
  return event.kind === 'disputed' && isEnded && !isWon
    ? [{ kind: 'disputed', money: event.money, until: null }]
    : [];
}

/** What a subscriber is told of events. In: where the subscription stood before, if it did; the events, in their order. */
export function toNotificationEmails(
  before: Subscription | undefined,
  events: readonly SubscriptionEvent[],
): NotificationEmail[] {
  const owed = before?.charge?.terms ?? before?.nextTerms ?? before?.terms;
  const price = owed?.price;
  if (!price) return [];
  return events.flatMap((event): NotificationEmail[] => {
    if (event.kind === 'expired' && event.reason === 'unpaid')
      return [{ kind: 'ended', money: price, until: null }];
    if (event.kind !== 'unpaid') return goneBack(event, events);
    if (!event.graceEndsAt) return [];
    const until = event.graceEndsAt.toISOString();
    if (event.reason === AUTHENTICATION_REQUIRED)
      return before?.unpaidReason === AUTHENTICATION_REQUIRED
        ? []
        : [{ kind: 'confirm', money: price, until }];
    if (!event.nextAttemptAt) return [{ kind: 'last_try', money: price, until }];
    return before?.billingIssueAt ? [] : [{ kind: 'unpaid', money: price, until }];
  });
}

/** How long after the n-th failure it is tried again, in milliseconds: 5 seconds, twice as long each time, an hour at most. */
export const retryDelay = (failures: number): number =>
  Math.min(5 * SECOND * 2 ** (failures - 1), 3600 * SECOND);

/** After so many failures, two days, it is of no use any more. */
export const mostAttempts = 57;
