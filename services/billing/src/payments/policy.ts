import type { Fact, Money, Subscription } from '../subscriptions/facts.ts';
import { stateOf } from '../subscriptions/state.ts';

/**
 * What was given back of a charge. In: the charge, what was given back of it before, whether it paid for the period
 * that runs; what is given back in all; the time. Out: nothing where that was known. All of it ends the period.
 */
export function refundFacts(
  charge: { key: string; money: Money; refunded: number; isLatest: boolean },
  refundedInAll: number,
  at: Date,
): Fact[] {
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

type Paid = Extract<Fact, { kind: 'paid' }>;

const isAbout = (dispute: string) => (fact: Fact) => 'dispute' in fact && fact.dispute === dispute;

/** Whether another dispute about the same subscription waits to be closed. */
function isDisputedElse(facts: readonly Fact[], id: string): boolean {
  const closed = new Set(facts.flatMap((fact) => (fact.kind === 'dispute_closed' ? [fact.dispute] : [])));
  return facts.some((fact) => fact.kind === 'disputed' && fact.dispute !== id && !closed.has(fact.dispute));
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
export function disputeFacts(
  state: Subscription,
  facts: readonly Fact[],
  { key, money }: Paid,
  { id: dispute, status, amount }: Dispute,
  at: Date,
): Fact[] {
  const known = facts.filter(isAbout(dispute));
  if (known.some(({ kind }) => kind === 'dispute_closed')) return [];
  const about = { at, key, dispute };
  const disputed: Fact = { kind: 'disputed', ...about, money: { ...money, amount } };
  const ended: Fact[] = state.endedAt ? [] : [{ kind: 'expired', at, reason: 'disputed' }];
  const opening = known.length > 0 ? [] : [disputed, ...ended];
  if (status === 'open') return opening;
  const shut = opening.length > 0 ? stateOf(opening, state) : state;
  if (status === 'won') {
    const endsAt = isDisputedElse(facts, dispute) ? null : reopenedUntil(shut, at);
    return [...opening, { kind: 'dispute_closed', ...about, outcome: 'won', endsAt }];
  }
  const refunded = facts.reduce(
    (sum, fact) => (fact.kind === 'refunded' && fact.key === key ? sum + fact.money.amount : sum),
    0,
  );
  const given = { ...money, amount: Math.min(amount, money.amount - refunded) };
  const back: Fact[] = given.amount > 0 ? [{ kind: 'refunded', ...about, money: given, endsIt: false }] : [];
  return [...opening, { kind: 'dispute_closed', ...about, outcome: 'lost', endsAt: null }, ...back];
}
