import type { Fact, Subscription, Terms } from './facts.ts';
import { endOf } from './period.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Paid periods are renewed a little before they end, so that nobody is shut out while many are renewed. Trials are not. */
const RENEWAL_LEAD = 10 * MINUTE;
/** A renewal that is later than this and had no grace begins a new period now, not in the past. */
const LATE = 60 * MINUTE;
/** After a failed renewal the reader goes on for so long, and the card is tried again so long after the first time. */
const GRACE = 7 * DAY;
/** Why a charge was refused where the card's bank wants its owner to confirm it; no gateway tries that again by itself. */
export const asksOwner = 'authentication_required';
const RETRIES = [DAY, 3 * DAY, 5 * DAY] as const;

const after = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);

/** How a gateway answers a charge. `pending`: neither yes nor no yet. */
export type ChargeOutcome =
  | { status: 'succeeded'; reference: string }
  | { status: 'failed'; reason: string }
  | { status: 'pending' };

/** What is to be done about a subscription whose time has come. */
export type Step =
  | { kind: 'expire'; facts: Fact[] }
  /** Write the fact down, then charge. */
  | { kind: 'begin_charge'; facts: Fact[] }
  /** A charge was begun and its end was never heard of: ask for it again, under the same key. */
  | { kind: 'charge'; key: string; terms: Terms }
  /** The same, but it is wanted no more: only look whether it was made. */
  | { kind: 'find_charge'; key: string; terms: Terms };

/** Until when it opens the door, grace included; null: for good. */
export function accessEndsAt({ expiresAt, graceEndsAt, refundedAt, endedAt }: Subscription): Date | null {
  const paidUntil = expiresAt && graceEndsAt && graceEndsAt > expiresAt ? graceEndsAt : expiresAt;
  const ends = [paidUntil, refundedAt, endedAt].filter((end) => end !== null);
  return ends.reduce<Date | null>((first, end) => (first && first < end ? first : end), null);
}

export function isActive(state: Subscription, now: Date): boolean {
  const end = accessEndsAt(state);
  return end === null || end > now;
}

/** Whether it goes on by itself. */
export const willRenew = ({
  store,
  expiresAt,
  unsubscribedAt,
  billingIssueAt,
  endedAt,
}: Subscription): boolean =>
  store !== 'promotional' && expiresAt !== null && !unsubscribedAt && !billingIssueAt && !endedAt;

/** When it must be looked at, by the subscriber's clock; null: never again. */
export function dueAt(state: Subscription): Date | null {
  const { terms, expiresAt, endedAt, unsubscribedAt, refundedAt, charge, nextAttemptAt, graceEndsAt } = state;
  if (endedAt || !expiresAt) return null;
  if (!terms) return expiresAt;
  const renewalAt = state.periodType === 'trial' ? expiresAt : after(expiresAt, -RENEWAL_LEAD);
  if (charge) return renewalAt;
  if (refundedAt) return refundedAt;
  if (unsubscribedAt) return expiresAt;
  return nextAttemptAt ?? graceEndsAt ?? renewalAt;
}

const chargeKey = (id: string, { renewals }: Subscription, attempt: number) =>
  `${id}.${renewals + 1}.${attempt}`;

function chargeBegun(id: string, state: Subscription, terms: Terms, at: Date): Fact {
  const attempt = state.attempts + 1;
  return { kind: 'charge_begun', at, key: chargeKey(id, state, attempt), terms, attempt };
}

/** What is to be done now, if anything. In: the subscription's id, which names its charges; where it stands; the time. */
export function nextStep(id: string, state: Subscription, now: Date): Step | undefined {
  const due = dueAt(state);
  if (!due || due > now) return undefined;
  if (!state.terms) return { kind: 'expire', facts: [{ kind: 'expired', at: now, reason: 'cancelled' }] };
  const { charge, unsubscribedAt, refundedAt, nextAttemptAt, graceEndsAt } = state;
  if (charge) return { kind: unsubscribedAt ? 'find_charge' : 'charge', ...charge };
  if (refundedAt) return { kind: 'expire', facts: [{ kind: 'expired', at: now, reason: 'refunded' }] };
  if (unsubscribedAt) return { kind: 'expire', facts: [{ kind: 'expired', at: now, reason: 'cancelled' }] };
  if (graceEndsAt && !nextAttemptAt) {
    return { kind: 'expire', facts: [{ kind: 'expired', at: now, reason: 'unpaid' }] };
  }
  return { kind: 'begin_charge', facts: [chargeBegun(id, state, state.nextTerms ?? state.terms, now)] };
}

/** The charge that was refused last, and is to be paid; nothing where none is. In: the subscription's id, which names it. */
export function unpaidCharge(id: string, state: Subscription): { key: string; terms: Terms } | undefined {
  const { terms, nextTerms, billingIssueAt, unsubscribedAt, endedAt, attempts } = state;
  if (!terms || !billingIssueAt || unsubscribedAt || endedAt) return undefined;
  return { key: chargeKey(id, state, attempts), terms: nextTerms ?? terms };
}

/** Whether its owner can have it paid by confirming the charge that was refused last. */
export const needsConfirmation = (state: Subscription): boolean =>
  unpaidCharge('', state) !== undefined && !state.charge && state.unpaidReason === asksOwner;

/** Its owner wants it paid now. Out: the charge, unless one is on its way; nothing where there is nothing to pay. */
export function paidNow(id: string, state: Subscription, now: Date): Fact[] {
  const unpaid = unpaidCharge(id, state);
  return unpaid && !state.charge ? [chargeBegun(id, state, unpaid.terms, now)] : [];
}

/** A period that was paid for: where it begins and ends. */
function renewal(state: Subscription, terms: Terms, at: Date): Extract<Fact, { kind: 'renewed' }> {
  const end = state.expiresAt ?? at;
  const isLate = state.endedAt !== null || (!state.graceEndsAt && at.getTime() - end.getTime() > LATE);
  const startsAt = isLate ? at : end;
  // A trial's end, another plan and a late payment begin a new count.
  const goesOn = !isLate && state.periodType === 'normal' && state.terms?.period === terms.period;
  const anchorAt = goesOn ? state.anchorAt : startsAt;
  const count = goesOn ? state.count + 1 : 1;
  const endsAt = endOf(anchorAt, terms.period, count);
  return { kind: 'renewed', at, terms, startsAt, endsAt, anchorAt, count };
}

/**
 * A charge was refused. A paid period that ends goes on for the grace time while the card is tried again; a trial ends,
 * for it was a promise to pay. Where the bank asks the owner, either goes on, and only the owner can try again.
 */
function refusal(state: Subscription, key: string, reason: string, at: Date): Fact[] {
  const firstAt = state.billingIssueAt ?? at;
  const isAsked = reason === asksOwner;
  const retries = isAsked ? [] : RETRIES.map((wait) => after(firstAt, wait));
  if (state.periodType === 'trial' && !isAsked && !state.graceEndsAt) {
    const unpaid: Fact = { kind: 'unpaid', at, key, reason, graceEndsAt: null, nextAttemptAt: null };
    return [unpaid, { kind: 'expired', at, reason: 'unpaid' }];
  }
  const graceEndsAt = state.graceEndsAt ?? after(state.expiresAt ?? at, GRACE);
  const nextAttemptAt = retries.find((moment) => moment > at) ?? null;
  return [{ kind: 'unpaid', at, key, reason, graceEndsAt, nextAttemptAt }];
}

/** What a charge's outcome means. In: the charge that was begun, its outcome, the time. Out: facts; none while it is pending. */
export function outcomeFacts(
  state: Subscription,
  { key, terms }: { key: string; terms: Terms },
  outcome: ChargeOutcome,
  at: Date,
): Fact[] {
  switch (outcome.status) {
    case 'pending':
      return [];
    case 'failed':
      return refusal(state, key, outcome.reason, at);
    case 'succeeded': {
      const { product, price } = terms;
      const paid: Fact = { kind: 'paid', at, key, product, money: price, reference: outcome.reference };
      return [paid, renewal(state, terms, at)];
    }
  }
}

interface Beginning {
  terms: Terms;
  isTrial: boolean;
  isSandbox: boolean;
  at: Date;
}

/** How a subscription that was bought begins. In: a trial begins unpaid; all else was paid for, by the charge named. */
export function beginning(
  { terms, isTrial, isSandbox, at }: Beginning,
  charge: { key: string; reference: string } | undefined,
): Fact[] {
  const { trial, period, product, price } = terms;
  const endsAt = endOf(at, isTrial && trial ? trial : period, 1);
  const periodType = isTrial ? 'trial' : 'normal';
  const started: Fact = { kind: 'started', at, terms, periodType, endsAt, store: 'rc_billing', isSandbox };
  return charge ? [started, { kind: 'paid', at, product, money: price, ...charge }] : [started];
}

/** A gift, until a day or for good. */
export const gift = (at: Date, endsAt: Date | null): Fact[] => [
  { kind: 'started', at, terms: null, periodType: 'normal', endsAt, store: 'promotional', isSandbox: false },
];

/** Whether the reader may stop it, and choose another plan for later; whether that may be taken back. */
export const canCancel = (state: Subscription): boolean =>
  state.terms !== null && !state.endedAt && !state.unsubscribedAt && !state.refundedAt;
export const canResume = (state: Subscription, now: Date): boolean =>
  state.unsubscribedAt !== null && !state.endedAt && !state.refundedAt && isActive(state, now);
