import * as z from 'zod/mini';
import { type Fact, money, type Subscription } from '../subscriptions/facts.ts';
import { asksOwner } from '../subscriptions/policy.ts';

const SECOND = 1000;

/**
 * What a subscriber is told: a renewal could not be paid and is tried again; the bank wants them to confirm it; it was
 * tried for the last time; the subscription has ended for it, or because the card's bank wants a payment back; money was
 * given back, which may have ended it. `until`: how long the door stays open, by the subscriber's clock.
 */
export const notice = z.object({
  kind: z.enum(['unpaid', 'confirm', 'last_try', 'ended', 'disputed', 'refunded', 'refund_ended']),
  money,
  until: z.nullable(z.string()),
});
export type Notice = z.infer<typeof notice>;

/** What a subscriber is told of money that goes back. What the bank takes back after a dispute, the bank tells. */
function goneBack(fact: Fact, facts: readonly Fact[]): Notice[] {
  if (fact.kind === 'refunded' && !fact.dispute)
    return [{ kind: fact.endsIt ? 'refund_ended' : 'refunded', money: fact.money, until: null }];
  const isEnded = facts.some((other) => other.kind === 'expired' && other.reason === 'disputed');
  // One that is heard of only when it is won takes nothing away.
  const isWon = facts.some((other) => other.kind === 'dispute_closed' && other.endsAt !== null);
  return fact.kind === 'disputed' && isEnded && !isWon
    ? [{ kind: 'disputed', money: fact.money, until: null }]
    : [];
}

/** What a subscriber is told of facts. In: where the subscription stood before, if it did; the facts, in their order. */
export function noticesOf(before: Subscription | undefined, facts: readonly Fact[]): Notice[] {
  const owed = before?.charge?.terms ?? before?.nextTerms ?? before?.terms;
  const price = owed?.price;
  if (!price) return [];
  return facts.flatMap((fact): Notice[] => {
    if (fact.kind === 'expired' && fact.reason === 'unpaid')
      return [{ kind: 'ended', money: price, until: null }];
    if (fact.kind !== 'unpaid') return goneBack(fact, facts);
    if (!fact.graceEndsAt) return [];
    const until = fact.graceEndsAt.toISOString();
    if (fact.reason === asksOwner)
      return before?.unpaidReason === asksOwner ? [] : [{ kind: 'confirm', money: price, until }];
    if (!fact.nextAttemptAt) return [{ kind: 'last_try', money: price, until }];
    return before?.billingIssueAt ? [] : [{ kind: 'unpaid', money: price, until }];
  });
}

/** How long after the n-th failure it is tried again, in milliseconds: 5 seconds, twice as long each time, an hour at most. */
export const retryDelay = (failures: number): number =>
  Math.min(5 * SECOND * 2 ** (failures - 1), 3600 * SECOND);

/** After so many failures, two days, it is of no use any more. */
export const mostAttempts = 57;
