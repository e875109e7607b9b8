import * as z from 'zod/mini';
import { money, type Subscription, type SubscriptionEvent } from '../subscriptions/events.ts';
import { AUTHENTICATION_REQUIRED, getChargeTerms } from '../subscriptions/policy.ts';

/**
 * An e-mail about a payment. `unpaid`: a renewal failed and is retried; `confirm`: the bank wants a confirmation; `last_try`: it
 * failed for the last time; `ended` and `disputed`: the subscription has ended for it; `refunded`, `refund_ended`: money was
 * refunded, which may have ended it. `until`: when access ends, by the subscriber's clock.
 */
export const notificationEmail = z.object({
  kind: z.enum(['unpaid', 'confirm', 'last_try', 'ended', 'disputed', 'refunded', 'refund_ended']),
  money,
  until: z.nullable(z.string()),
});
export type NotificationEmail = z.infer<typeof notificationEmail>;

/** The bank itself informs about money that it takes back after a dispute. */
function toRefundEmails(event: SubscriptionEvent, events: readonly SubscriptionEvent[]): NotificationEmail[] {
  if (event.kind === 'refunded' && !event.dispute)
    return [{ kind: event.endsIt ? 'refund_ended' : 'refunded', money: event.money, until: null }];
  const hasEnded = events.some((other) => other.kind === 'expired' && other.reason === 'disputed');
  // A dispute that is first reported when it is won takes nothing away.
  const isWon = events.some((other) => other.kind === 'dispute_closed' && other.endsAt !== null);
  return event.kind === 'disputed' && hasEnded && !isWon
    ? [{ kind: 'disputed', money: event.money, until: null }]
    : [];
}

/** Whether the attempt before was the last one by itself; the owner may try again. */
const wasLastTry = (before: Subscription): boolean =>
  before.billingIssueAt !== null &&
  before.nextAttemptAt === null &&
  before.unpaidReason !== AUTHENTICATION_REQUIRED;

/** Returns the e-mails for events, given the state before them. */
export function toNotificationEmails(
  before: Subscription | undefined,
  events: readonly SubscriptionEvent[],
): NotificationEmail[] {
  const unpaidTerms = before && (before.charge?.terms ?? getChargeTerms(before));
  if (!before || !unpaidTerms) return [];
  const { price } = unpaidTerms;
  return events.flatMap((event): NotificationEmail[] => {
    if (event.kind === 'expired' && event.reason === 'unpaid')
      return [{ kind: 'ended', money: price, until: null }];
    if (event.kind !== 'unpaid') return toRefundEmails(event, events);
    if (!event.graceEndsAt) return [];
    const until = event.graceEndsAt.toISOString();
    if (event.reason === AUTHENTICATION_REQUIRED)
      return before.unpaidReason === AUTHENTICATION_REQUIRED
        ? []
        : [{ kind: 'confirm', money: price, until }];
    if (!event.nextAttemptAt) return wasLastTry(before) ? [] : [{ kind: 'last_try', money: price, until }];
    return before.billingIssueAt ? [] : [{ kind: 'unpaid', money: price, until }];
  });
}
