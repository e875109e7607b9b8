import type { Money, Subscription, SubscriptionEvent, Terms } from './events.ts';
import { addPeriods } from './period.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Paid periods are renewed a little before they end, so that nobody is shut out while many are renewed. Trials are not. */
const RENEWAL_LEAD = 10 * MINUTE;
/** A gateway that renews by itself is a while about it: so long what is to be renewed stays open past its end. */
const ROLLOVER = 60 * MINUTE;
/** A renewal that is later than this and had no grace begins a new period now, not in the past. */
const LATE = 60 * MINUTE;
/** After a failed renewal the reader goes on for so long, and the card is tried again so long after the first time. */
const GRACE = 7 * DAY;
/** Why a charge was refused where the card's bank wants its owner to confirm it; no gateway tries that again by itself. */
export const AUTHENTICATION_REQUIRED = 'authentication_required';
const RETRIES = [DAY, 3 * DAY, 5 * DAY] as const;

const after = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);

/** What a gateway with subscriptions of its own took money for. `price`: its name for it. */
export interface PaidPeriod {
  money: Money;
  startsAt: Date;
  endsAt: Date;
  price: string | undefined;
}

/**
 * How a gateway answers a charge. `pending`: neither yes nor no yet. `over`: the subscription it keeps has ended, and no
 * charge will come of it.
 */
export type ChargeOutcome =
  | { status: 'succeeded'; reference: string; paidPeriod?: PaidPeriod }
  | { status: 'failed'; reason: string }
  | { status: 'pending' }
  | { status: 'over' };

/** What is to be done about a subscription whose time has come. */
export type Step =
  | { kind: 'expire'; events: SubscriptionEvent[] }
  /** Write the event down, then charge. */
  | { kind: 'begin_charge'; events: SubscriptionEvent[] }
  /** A charge was begun and its end was never heard of: ask for it again, under the same key. */
  | { kind: 'charge'; key: string; terms: Terms }
  /** The same, but it is wanted no more: only look whether it was made. */
  | { kind: 'find_charge'; key: string; terms: Terms };

/** Until when it opens the door, grace included; null: for good. */
export function getAccessEnd(state: Subscription): Date | null {
  const { expiresAt, graceEndsAt, refundedAt, endedAt } = state;
  const rollsOver = expiresAt && state.gatewaySubscription && willRenew(state);
  const goesOnUntil = rollsOver ? after(expiresAt, ROLLOVER) : graceEndsAt;
  const paidUntil = expiresAt && goesOnUntil && goesOnUntil > expiresAt ? goesOnUntil : expiresAt;
  const ends = [paidUntil, refundedAt, endedAt].filter((end) => end !== null);
  return ends.reduce<Date | null>((first, end) => (first && first < end ? first : end), null);
}

export function isActive(state: Subscription, now: Date): boolean {
  const end = getAccessEnd(state);
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
  const isOnTime = state.periodType === 'trial' || state.gatewaySubscription !== null;
  const renewalAt = isOnTime ? expiresAt : after(expiresAt, -RENEWAL_LEAD);
  if (charge) return renewalAt;
  if (refundedAt) return refundedAt;
  if (unsubscribedAt) return expiresAt;
  return nextAttemptAt ?? graceEndsAt ?? renewalAt;
}

const chargeKey = (id: string, { renewals }: Subscription, attempt: number) =>
  `${id}.${renewals + 1}.${attempt}`;

function chargeBegun(id: string, state: Subscription, terms: Terms, at: Date): SubscriptionEvent {
  const attempt = state.attempts + 1;
  return { kind: 'charge_begun', at, key: chargeKey(id, state, attempt), terms, attempt };
}

/** What is to be done now, if anything. In: the subscription's id, ref names its charges; where it stands; the time. */
export function getNextStep(id: string, state: Subscription, now: Date): Step | undefined {
  const due = dueAt(state);
  if (!due || due > now) return undefined;
  if (!state.terms) return { kind: 'expire', events: [{ kind: 'expired', at: now, reason: 'cancelled' }] };
  const { charge, unsubscribedAt, refundedAt, nextAttemptAt, billingIssueAt } = state;
  if (charge) return { kind: unsubscribedAt ? 'find_charge' : 'charge', ...charge };
  if (refundedAt) return { kind: 'expire', events: [{ kind: 'expired', at: now, reason: 'refunded' }] };
  if (unsubscribedAt) return { kind: 'expire', events: [{ kind: 'expired', at: now, reason: 'cancelled' }] };
  if (billingIssueAt && !nextAttemptAt) {
    return { kind: 'expire', events: [{ kind: 'expired', at: now, reason: 'unpaid' }] };
  }
  return { kind: 'begin_charge', events: [chargeBegun(id, state, state.nextTerms ?? state.terms, now)] };
}

/** The charge that was refused last, and is to be paid; nothing where none is. In: the subscription's id, ref names it. */
export function getUnpaidCharge(id: string, state: Subscription): { key: string; terms: Terms } | undefined {
  const { terms, nextTerms, billingIssueAt, unsubscribedAt, endedAt, attempts } = state;
  if (!terms || !billingIssueAt || unsubscribedAt || endedAt) return undefined;
  return { key: chargeKey(id, state, attempts), terms: nextTerms ?? terms };
}

/** Whether its owner can have it paid by confirming the charge that was refused last. */
export const needsConfirmation = (state: Subscription): boolean =>
  getUnpaidCharge('', state) !== undefined && !state.charge && state.unpaidReason === AUTHENTICATION_REQUIRED;

/** Its owner wants it paid now. Out: the charge, unless one is on its way; nothing where there is nothing to pay. */
export function toRetryEvents(id: string, state: Subscription, now: Date): SubscriptionEvent[] {
  const unpaid = getUnpaidCharge(id, state);
  return unpaid && !state.charge ? [chargeBegun(id, state, unpaid.terms, now)] : [];
}

/** The charge that pays for what comes after the period that runs, begun by us or not. In: the subscription's id. */
export function getNextCharge(id: string, state: Subscription): { key: string; terms: Terms } | undefined {
  const { charge, terms, nextTerms, attempts } = state;
  if (charge || !terms) return charge ?? undefined;
  return { key: chargeKey(id, state, Math.max(1, attempts)), terms: nextTerms ?? terms };
}

/** A period that was paid for: where it begins and ends. */
function renewal(
  state: Subscription,
  terms: Terms,
  at: Date,
): Extract<SubscriptionEvent, { kind: 'renewed' }> {
  const end = state.expiresAt ?? at;
  const isLate = state.endedAt !== null || (!state.graceEndsAt && at.getTime() - end.getTime() > LATE);
  const startsAt = isLate ? at : end;
  // A trial's end, another plan and a late payment begin a new count.
  const goesOn = !isLate && state.periodType === 'normal' && state.terms?.period === terms.period;
  const anchorAt = goesOn ? state.anchorAt : startsAt;
  const count = goesOn ? state.count + 1 : 1;
  const endsAt = addPeriods(anchorAt, terms.period, count);
  return { kind: 'renewed', at, terms, startsAt, endsAt, anchorAt, count };
}

/**
 * A charge was refused. A paid period that ends goes on for the grace time while the card is tried again; a trial ends,
 * for it was a promise to pay. Where the bank asks the owner, either goes on, and only the owner can try again.
 */
function refusal(state: Subscription, key: string, reason: string, at: Date): SubscriptionEvent[] {
  const firstAt = state.billingIssueAt ?? at;
  const isAsked = reason === AUTHENTICATION_REQUIRED;
  const retries = isAsked ? [] : RETRIES.map((wait) => after(firstAt, wait));
  if (state.periodType === 'trial' && !isAsked && !state.graceEndsAt) {
    return [{ kind: 'unpaid', at, key, reason, graceEndsAt: null, nextAttemptAt: null }];
  }
  const graceEndsAt = state.graceEndsAt ?? after(state.expiresAt ?? at, GRACE);
  const nextAttemptAt = retries.find((moment) => moment > at) ?? null;
  return [{ kind: 'unpaid', at, key, reason, graceEndsAt, nextAttemptAt }];
}

/**
 * What money means that was taken. A gateway that keeps subscriptions says ref price it was, and until when it is paid
 * for; one that had been ended there is paid for from now on, and is renewed by nobody unless its owner resumes it.
 */
function toPaymentEvents(
  state: Subscription,
  { key, terms: begun }: { key: string; terms: Terms },
  { reference, paidPeriod }: Extract<ChargeOutcome, { status: 'succeeded' }>,
  at: Date,
): SubscriptionEvent[] {
  const terms =
    [begun, state.nextTerms, state.terms].find(
      (each) => paidPeriod?.price && each?.gatewayPrice === paidPeriod.price,
    ) ?? begun;
  const { product, price } = terms;
  const paid: SubscriptionEvent = {
    kind: 'paid',
    at,
    key,
    product,
    money: paidPeriod?.money ?? price,
    reference,
  };
  if (!paidPeriod || state.endedAt) {
    const stop: SubscriptionEvent[] =
      paidPeriod && !state.unsubscribedAt ? [{ kind: 'cancelled', at, by: 'gateway' }] : [];
    return [paid, renewal(state, terms, at), ...stop];
  }
  const { startsAt, endsAt } = paidPeriod;
  return [paid, { kind: 'renewed', at, terms, startsAt, endsAt, anchorAt: startsAt, count: 1 }];
}

/** What a charge's outcome means. In: the charge that was begun, its outcome, the time. Out: events; none while it is pending. */
export function toChargeEvents(
  state: Subscription,
  { key, terms }: { key: string; terms: Terms },
  outcome: ChargeOutcome,
  at: Date,
): SubscriptionEvent[] {
  switch (outcome.status) {
    case 'pending':
      return [];
    case 'failed':
      return refusal(state, key, outcome.reason, at);
    case 'over': {
      const dropped: SubscriptionEvent = { kind: 'charge_dropped', at, key };
      return state.unsubscribedAt ? [dropped] : [dropped, { kind: 'cancelled', at, by: 'gateway' }];
    }
    case 'succeeded':
      return toPaymentEvents(state, { key, terms }, outcome, at);
  }
}

interface NewSubscription {
  terms: Terms;
  isTrial: boolean;
  isSandbox: boolean;
  at: Date;
  /** Of a gateway that keeps subscriptions: its name for this one, and when its first period or trial ends. */
  kept?: { subscription: string; endsAt: Date };
}

/** How a subscription that was paidPeriod begins. In: a trial begins unpaid; all else was paid for, by the charge named. */
export function toStartEvents(
  { terms, isTrial, isSandbox, at, kept }: NewSubscription,
  charge: { key: string; reference: string; money?: Money } | undefined,
): SubscriptionEvent[] {
  const { trial, period, product, price } = terms;
  const started: SubscriptionEvent = {
    kind: 'started',
    at,
    terms,
    store: 'rc_billing',
    isSandbox,
    periodType: isTrial ? 'trial' : 'normal',
    endsAt: kept?.endsAt ?? addPeriods(at, isTrial && trial ? trial : period, 1),
    ...(kept && { gatewaySubscription: kept.subscription }),
  };
  return charge ? [started, { kind: 'paid', at, product, money: price, ...charge }] : [started];
}

/** A toGiftEvents, until a day or for good. */
export const toGiftEvents = (at: Date, endsAt: Date | null): SubscriptionEvent[] => [
  { kind: 'started', at, terms: null, periodType: 'normal', endsAt, store: 'promotional', isSandbox: false },
];

/** Whether the reader may stop it, and choose another plan for later; whether that may be taken back. */
export const canCancel = (state: Subscription): boolean =>
  state.terms !== null && !state.endedAt && !state.unsubscribedAt && !state.refundedAt;
export const canResume = (state: Subscription, now: Date): boolean =>
  state.unsubscribedAt !== null && !state.endedAt && !state.refundedAt && isActive(state, now);
