import type { ChargeRef, Money, Subscription, SubscriptionEvent, Terms } from './events.ts';
import { isSamePlan } from './gateway-schedule.ts';
import { addPeriods } from './period.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Paid periods, but not trials, are charged before they end, so that access continues while many are processed. */
const RENEWAL_LEAD_MS = 10 * MINUTE_MS;
/** How long a subscription stays active past its end while its gateway renews it. */
const ROLLOVER_MS = 60 * MINUTE_MS;
/** A renewal without a grace period that is overdue by more than this starts a new period now, not in the past. */
const MAX_OVERDUE_MS = 60 * MINUTE_MS;
/** How long access continues after a failed renewal; the card is retried after each of `RETRY_DELAYS_MS`. */
const GRACE_MS = 7 * DAY_MS;
/** The decline code when the bank wants the owner to confirm; no gateway retries such a charge by itself. */
export const AUTHENTICATION_REQUIRED = 'authentication_required';
const RETRY_DELAYS_MS = [DAY_MS, 3 * DAY_MS, 5 * DAY_MS] as const;

const addMs = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);

/** The period that a gateway's own subscription charged for. `price`: the gateway's id. */
export interface PaidPeriod {
  money: Money;
  startsAt: Date;
  endsAt: Date;
  price: string | undefined;
}

/**
 * The outcome of a charge. `waived`: the period is free, because collection is paused at the gateway; `ended`: the gateway's
 * subscription has ended, so there will be no charge.
 */
export type ChargeOutcome =
  | { status: 'succeeded'; reference: string; paidPeriod?: PaidPeriod }
  | { status: 'waived'; paidPeriod: PaidPeriod }
  | { status: 'failed'; reason: string }
  | { status: 'pending' }
  | { status: 'ended' };

/** What to do about a subscription that is due. */
export type Step =
  | { kind: 'expire'; events: SubscriptionEvent[] }
  /** Append the events, then charge. */
  | ({ kind: 'begin_charge'; events: SubscriptionEvent[] } & ChargeRef)
  /** The outcome of a charge is unknown: repeat it under the same key. */
  | ({ kind: 'charge' } & ChargeRef)
  /** The same for a charge that is not needed any more: only look for it. */
  | ({ kind: 'find_charge' } & ChargeRef);

/** Returns when access ends, grace period included; null: never. */
export function getAccessEnd(state: Subscription): Date | null {
  const { expiresAt, graceEndsAt, refundedAt, endedAt } = state;
  const rollsOver = expiresAt && state.gatewaySubscription && willRenew(state);
  const extendedUntil = rollsOver ? addMs(expiresAt, ROLLOVER_MS) : graceEndsAt;
  const paidUntil = expiresAt && extendedUntil && extendedUntil > expiresAt ? extendedUntil : expiresAt;
  const ends = [paidUntil, refundedAt, endedAt].filter((end) => end !== null);
  return ends.reduce<Date | null>((first, end) => (first && first < end ? first : end), null);
}

/** Returns whether a subscription gives access: its period, or the time for a late payment, has not ended. */
export function isActive(state: Subscription, now: Date): boolean {
  const end = getAccessEnd(state);
  return end === null || end > now;
}

/** Whether it renews by itself. */
export const willRenew = ({
  store,
  expiresAt,
  unsubscribedAt,
  billingIssueAt,
  endedAt,
}: Subscription): boolean =>
  store !== 'promotional' && expiresAt !== null && !unsubscribedAt && !billingIssueAt && !endedAt;

/** Returns when it must be processed next, by the subscriber's clock; null: never. */
export function getDueAt(state: Subscription): Date | null {
  const { terms, expiresAt, endedAt, unsubscribedAt, refundedAt, charge, nextAttemptAt, graceEndsAt } = state;
  if (endedAt || !expiresAt) return null;
  if (!terms) return expiresAt;
  const isOnTime = state.periodType === 'trial' || state.gatewaySubscription !== null;
  const renewalAt = isOnTime ? expiresAt : addMs(expiresAt, -RENEWAL_LEAD_MS);
  if (charge) return renewalAt;
  if (refundedAt) return refundedAt;
  if (unsubscribedAt) return expiresAt;
  return nextAttemptAt ?? graceEndsAt ?? renewalAt;
}

const toChargeKey = (id: string, { renewals }: Subscription, attempt: number) =>
  `${id}.${renewals + 1}.${attempt}`;

/**
 * Returns the terms of the next charge: those of the invoice that is owed, else those of the next period; null where nothing
 * is charged.
 */
export const getChargeTerms = ({ unpaidTerms, nextTerms, terms }: Subscription): Terms | null =>
  unpaidTerms ?? nextTerms ?? terms;

function toChargeBegun(id: string, state: Subscription, terms: Terms, at: Date) {
  const attempt = state.attempts + 1;
  return { kind: 'charge_begun', at, key: toChargeKey(id, state, attempt), terms, attempt } as const;
}

const toExpireStep = (reason: 'cancelled' | 'refunded' | 'unpaid', at: Date): Step => ({
  kind: 'expire',
  events: [{ kind: 'expired', at, reason }],
});

/** Returns what to do now, if anything. `id`: of the subscription, part of its charge keys. */
export function getNextStep(id: string, state: Subscription, now: Date): Step | undefined {
  const due = getDueAt(state);
  if (!due || due > now) return undefined;
  const terms = getChargeTerms(state);
  if (!terms) return toExpireStep('cancelled', now);
  const { charge, unsubscribedAt, refundedAt, nextAttemptAt, billingIssueAt } = state;
  if (charge) return { kind: unsubscribedAt ? 'find_charge' : 'charge', ...charge };
  if (refundedAt) return toExpireStep('refunded', now);
  if (unsubscribedAt) return toExpireStep('cancelled', now);
  if (billingIssueAt && !nextAttemptAt) return toExpireStep('unpaid', now);
  const begun = toChargeBegun(id, state, terms, now);
  return { kind: 'begin_charge', events: [begun], key: begun.key, terms };
}

/** Returns the charge of the period after the current one, begun or not. */
export function getNextCharge(id: string, state: Subscription): ChargeRef | undefined {
  const { charge, attempts } = state;
  const terms = getChargeTerms(state);
  if (charge || !terms) return charge ?? undefined;
  return { key: toChargeKey(id, state, Math.max(1, attempts)), terms };
}

/** Returns the charge that was refused last and is still owed. */
export const getUnpaidCharge = (id: string, state: Subscription): ChargeRef | undefined =>
  state.billingIssueAt && !state.unsubscribedAt && !state.endedAt ? getNextCharge(id, state) : undefined;

/** Whether the owner can pay by confirming the charge that was refused last. */
export const needsConfirmation = (state: Subscription): boolean =>
  getUnpaidCharge('', state) !== undefined && !state.charge && state.unpaidReason === AUTHENTICATION_REQUIRED;

/** Returns the events that begin another attempt at an unpaid charge; none while one is pending. */
export function toRetryEvents(id: string, state: Subscription, now: Date): SubscriptionEvent[] {
  const unpaid = getUnpaidCharge(id, state);
  return unpaid && !state.charge ? [toChargeBegun(id, state, unpaid.terms, now)] : [];
}

function toRenewalEvent(
  state: Subscription,
  terms: Terms,
  at: Date,
): Extract<SubscriptionEvent, { kind: 'renewed' }> {
  const end = state.expiresAt ?? at;
  const isLate =
    state.endedAt !== null || (!state.graceEndsAt && at.getTime() - end.getTime() > MAX_OVERDUE_MS);
  const startsAt = isLate ? at : end;
  // The end of a trial, another plan and a late payment move the anchor.
  const continues = !isLate && state.periodType === 'normal' && state.terms?.period === terms.period;
  const anchorAt = continues ? state.anchorAt : startsAt;
  const count = continues ? state.count + 1 : 1;
  const endsAt = addPeriods(anchorAt, terms.period, count);
  return { kind: 'renewed', at, terms, startsAt, endsAt, anchorAt, count };
}

/**
 * A refused renewal of a paid period starts the grace period and its retries. A refused charge ends a trial, unless the bank
 * wants the owner to confirm it; then nothing is retried without the owner.
 */
function toUnpaidEvents(
  state: Subscription,
  { key, terms }: ChargeRef,
  reason: string,
  at: Date,
): SubscriptionEvent[] {
  const unpaid = { kind: 'unpaid', at, key, reason, ...(state.gatewaySubscription && { terms }) } as const;
  const firstAt = state.billingIssueAt ?? at;
  const needsAuthentication = reason === AUTHENTICATION_REQUIRED;
  const retries = needsAuthentication ? [] : RETRY_DELAYS_MS.map((wait) => addMs(firstAt, wait));
  if (state.periodType === 'trial' && !needsAuthentication && !state.graceEndsAt) {
    return [{ ...unpaid, graceEndsAt: null, nextAttemptAt: null }];
  }
  const graceEndsAt = state.graceEndsAt ?? addMs(state.expiresAt ?? at, GRACE_MS);
  const nextAttemptAt = retries.find((date) => date > at) ?? null;
  return [{ ...unpaid, graceEndsAt, nextAttemptAt }];
}

/**
 * Returns the events of a payment, or of a free period. A gateway's own subscription determines the price and the period; one
 * that had been ended here is paid from now on and does not renew unless its owner resumes it.
 */
function toPaymentEvents(
  state: Subscription,
  { key, terms: begun }: ChargeRef,
  outcome: Extract<ChargeOutcome, { status: 'succeeded' | 'waived' }>,
  at: Date,
): SubscriptionEvent[] {
  const { paidPeriod } = outcome;
  const terms =
    [begun, state.nextTerms, state.terms].find(
      (each) => paidPeriod?.price && each?.gatewayPrice === paidPeriod.price,
    ) ?? begun;
  const { product, price } = terms;
  const money = paidPeriod?.money ?? price;
  const paid: SubscriptionEvent[] =
    outcome.status === 'succeeded'
      ? [{ kind: 'paid', at, key, product, money, reference: outcome.reference }]
      : [];
  if (!paidPeriod || state.endedAt) {
    const cancelled: SubscriptionEvent[] =
      paidPeriod && !state.unsubscribedAt ? [{ kind: 'cancelled', at, by: 'gateway' }] : [];
    return [...paid, toRenewalEvent(state, terms, at), ...cancelled];
  }
  const { startsAt, endsAt } = paidPeriod;
  return [...paid, { kind: 'renewed', at, terms, startsAt, endsAt, anchorAt: startsAt, count: 1 }];
}

/** Returns the events of a charge's outcome; none while it is pending. */
export function toChargeEvents(
  state: Subscription,
  { key, terms }: ChargeRef,
  outcome: ChargeOutcome,
  at: Date,
): SubscriptionEvent[] {
  switch (outcome.status) {
    case 'pending':
      return [];
    case 'failed':
      return toUnpaidEvents(state, { key, terms }, outcome.reason, at);
    case 'ended': {
      const dropped: SubscriptionEvent = { kind: 'charge_dropped', at, key };
      return state.unsubscribedAt ? [dropped] : [dropped, { kind: 'cancelled', at, by: 'gateway' }];
    }
    case 'succeeded':
    case 'waived':
      return toPaymentEvents(state, { key, terms }, outcome, at);
  }
}

interface NewSubscription {
  terms: Terms;
  isTrial: boolean;
  isSandbox: boolean;
  at: Date;
  /** The gateway's own subscription, and when its first period or trial ends. */
  gatewaySubscription?: { id: string; endsAt: Date } | undefined;
}

/** Returns the events that start a purchased subscription; without a charge it starts as a trial. */
export function toStartEvents(
  { terms, isTrial, isSandbox, at, gatewaySubscription }: NewSubscription,
  charge: { key: string; reference: string; money?: Money | undefined } | undefined,
): SubscriptionEvent[] {
  const { trial, period, product, price } = terms;
  const started: SubscriptionEvent = {
    kind: 'started',
    at,
    terms,
    store: 'rc_billing',
    isSandbox,
    periodType: isTrial ? 'trial' : 'normal',
    endsAt: gatewaySubscription?.endsAt ?? addPeriods(at, isTrial && trial ? trial : period, 1),
    ...(gatewaySubscription && { gatewaySubscription: gatewaySubscription.id }),
  };
  if (!charge) return [started];
  return [started, { kind: 'paid', at, product, ...charge, money: charge.money ?? price }];
}

/** Returns the events of a subscription that demo mode grants, as part of the sandbox. `endsAt`: null for one without an end. */
export const toGrantEvents = (at: Date, endsAt: Date | null): SubscriptionEvent[] => [
  { kind: 'started', at, terms: null, periodType: 'normal', endsAt, store: 'promotional', isSandbox: true },
];

/** Whether the owner may cancel it. */
export const canCancel = (state: Subscription): boolean =>
  state.terms !== null && !state.endedAt && !state.unsubscribedAt && !state.refundedAt;

/**
 * Returns whether the owner may choose another plan. Not while a chosen one is owed at the gateway: its invoice exists and
 * keeps that plan's price. Nor after the end of a period until the next charge has begun: its invoice may exist. A refused
 * one that an earlier version stored without its terms does not count: it is not known whether the other plan was chosen
 * before or after.
 */
export function canChangePlan(state: Subscription, now: Date): boolean {
  const { gatewaySubscription, terms, unpaidTerms, charge, billingIssueAt, expiresAt } = state;
  if (!canCancel(state)) return false;
  if (!gatewaySubscription) return true;
  if (!charge && !billingIssueAt) return expiresAt === null || expiresAt > now;
  const owed = charge ? getChargeTerms(state) : unpaidTerms;
  return owed === null || terms === null || isSamePlan(owed, terms);
}

/** Returns whether a cancellation can be withdrawn. */
export const canResume = (state: Subscription, now: Date): boolean =>
  state.unsubscribedAt !== null && !state.endedAt && !state.refundedAt && isActive(state, now);
