import * as z from 'zod/mini';
import { period } from './period.ts';

/** A date, stored as JSON. */
const date = z.pipe(
  z.union([z.iso.datetime(), z.date()]),
  z.transform((value) => new Date(value)),
);

/** An amount in the currency's smallest unit, never a fraction, and its ISO 4217 code. */
export const money = z.object({
  amount: z.int().check(z.minimum(0)),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
});
export type Money = z.infer<typeof money>;

/** What the subscriber agreed to pay: the product's price for a period, after an optional trial. */
export const terms = z.object({
  product: z.string(),
  option: z.string(),
  price: money,
  period,
  trial: z.nullable(period),
  /** The gateway's id of the price, where it manages prices. */
  gatewayPrice: z.optional(z.string()),
});
export type Terms = z.infer<typeof terms>;

const charge = z.object({ key: z.string(), terms });
/** A charge, begun or not: its key and what is charged. */
export type ChargeRef = z.infer<typeof charge>;

const store = z.enum(['rc_billing', 'promotional']);
const periodType = z.enum(['normal', 'trial']);

/**
 * An event of a subscription, as stored. Every date that follows from a rule is written down, so that a rule may change
 * without changing the past.
 */
export const subscriptionEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('started'),
    at: date,
    terms: z.nullable(terms),
    periodType,
    endsAt: z.nullable(date),
    store,
    isSandbox: z.boolean(),
    /** The gateway's id of the subscription, where it manages subscriptions. */
    gatewaySubscription: z.optional(z.string()),
  }),
  /** A charge was requested; its outcome is not known yet. */
  z.object({ kind: z.literal('charge_begun'), at: date, key: z.string(), terms, attempt: z.int() }),
  z.object({
    kind: z.literal('paid'),
    at: date,
    key: z.string(),
    product: z.string(),
    money,
    reference: z.string(),
  }),
  z.object({
    kind: z.literal('renewed'),
    at: date,
    terms,
    startsAt: date,
    endsAt: date,
    anchorAt: date,
    count: z.int(),
  }),
  z.object({
    kind: z.literal('unpaid'),
    at: date,
    key: z.string(),
    reason: z.string(),
    graceEndsAt: z.nullable(date),
    nextAttemptAt: z.nullable(date),
    /** What stays owed where the gateway manages the subscription; otherwise a retry charges for the plan chosen by then. */
    terms: z.optional(terms),
  }),
  /** A charge was never made and is not needed any more. */
  z.object({ kind: z.literal('charge_dropped'), at: date, key: z.string() }),
  z.object({ kind: z.literal('cancelled'), at: date, by: z.enum(['user', 'gateway', 'deletion']) }),
  /** `gatewaySubscription`: the new one, where the gateway's former subscription had ended. */
  z.object({ kind: z.literal('resumed'), at: date, gatewaySubscription: z.optional(z.string()) }),
  /** From the next renewal on; null keeps the current plan. */
  z.object({ kind: z.literal('plan_chosen'), at: date, terms: z.nullable(terms) }),
  /** `dispute`: the lost dispute that took the money back. */
  z.object({
    kind: z.literal('refunded'),
    at: date,
    key: z.string(),
    money,
    endsIt: z.boolean(),
    dispute: z.optional(z.string()),
  }),
  /** The cardholder's bank disputes a payment. `dispute`: the gateway's id. */
  z.object({ kind: z.literal('disputed'), at: date, key: z.string(), dispute: z.string(), money }),
  /** `endsAt`: the new end of the reopened period; null: it stays closed. */
  z.object({
    kind: z.literal('dispute_closed'),
    at: date,
    key: z.string(),
    dispute: z.string(),
    outcome: z.enum(['won', 'lost']),
    endsAt: z.nullable(date),
  }),
  z.object({
    kind: z.literal('expired'),
    at: date,
    reason: z.enum(['cancelled', 'unpaid', 'refunded', 'disputed', 'deleted']),
  }),
]);
export type SubscriptionEvent = z.infer<typeof subscriptionEvent>;

/** The state of a subscription: what its events reduce to. */
export const subscription = z.object({
  terms: z.nullable(terms),
  nextTerms: z.nullable(terms),
  store,
  isSandbox: z.boolean(),
  gatewaySubscription: z._default(z.nullable(z.string()), null),
  periodType,
  startedAt: date,
  /** The current period. No end: granted for good. */
  purchasedAt: date,
  expiresAt: z.nullable(date),
  /** `expiresAt` is `count` periods after this. */
  anchorAt: date,
  count: z.int(),
  /** The number of renewals, and of charge attempts since the last one. */
  renewals: z.int(),
  attempts: z.int(),
  charge: z.nullable(charge),
  unsubscribedAt: z.nullable(date),
  billingIssueAt: z.nullable(date),
  /** Why the last charge was refused. */
  unpaidReason: z._default(z.nullable(z.string()), null),
  /** The terms of the gateway's unpaid invoice; another plan starts with the period after it. */
  unpaidTerms: z._default(z.nullable(terms), null),
  graceEndsAt: z.nullable(date),
  nextAttemptAt: z.nullable(date),
  refundedAt: z.nullable(date),
  endedAt: z.nullable(date),
});
export type Subscription = z.infer<typeof subscription>;

/** What each period resets. */
const newPeriod = {
  attempts: 0,
  charge: null,
  billingIssueAt: null,
  unpaidReason: null,
  unpaidTerms: null,
  graceEndsAt: null,
  nextAttemptAt: null,
  // A refund concerns an earlier period.
  refundedAt: null,
  endedAt: null,
} as const;

function start(event: Extract<SubscriptionEvent, { kind: 'started' }>): Subscription {
  return {
    terms: event.terms,
    nextTerms: null,
    store: event.store,
    isSandbox: event.isSandbox,
    gatewaySubscription: event.gatewaySubscription ?? null,
    periodType: event.periodType,
    startedAt: event.at,
    purchasedAt: event.at,
    expiresAt: event.endsAt,
    anchorAt: event.at,
    count: 1,
    renewals: 0,
    unsubscribedAt: null,
    ...newPeriod,
  };
}

function renew(state: Subscription, event: Extract<SubscriptionEvent, { kind: 'renewed' }>): Subscription {
  return {
    ...state,
    terms: event.terms,
    nextTerms: state.nextTerms?.product === event.terms.product ? null : state.nextTerms,
    periodType: 'normal',
    purchasedAt: event.startsAt,
    expiresAt: event.endsAt,
    anchorAt: event.anchorAt,
    count: event.count,
    renewals: state.renewals + 1,
    ...newPeriod,
  };
}

/** A won dispute reopens the period that was paid for; it does not renew unless the owner resumes it. */
const reopen = (state: Subscription, endsAt: Date): Subscription => ({
  ...state,
  expiresAt: endsAt,
  anchorAt: endsAt,
  count: 0,
  endedAt: null,
});

/** Applies one event. Throws where the first event is not `started`. */
function applyEvent(state: Subscription | undefined, event: SubscriptionEvent): Subscription {
  if (event.kind === 'started') return start(event);
  if (!state) throw new Error(`A subscription cannot begin with "${event.kind}".`);
  switch (event.kind) {
    case 'charge_begun':
      return { ...state, charge: { key: event.key, terms: event.terms }, attempts: event.attempt };
    case 'paid':
      return state;
    case 'renewed':
      return renew(state, event);
    case 'unpaid':
      return {
        ...state,
        charge: null,
        billingIssueAt: state.billingIssueAt ?? event.at,
        unpaidReason: event.reason,
        unpaidTerms: event.terms ?? null,
        graceEndsAt: event.graceEndsAt,
        nextAttemptAt: event.nextAttemptAt,
      };
    case 'charge_dropped':
      return { ...state, charge: null };
    case 'cancelled':
      return { ...state, unsubscribedAt: event.at };
    case 'resumed':
      return {
        ...state,
        unsubscribedAt: null,
        gatewaySubscription: event.gatewaySubscription ?? state.gatewaySubscription,
      };
    case 'plan_chosen':
      return { ...state, nextTerms: event.terms };
    case 'refunded':
      return event.endsIt
        ? { ...state, refundedAt: event.at, unsubscribedAt: state.unsubscribedAt ?? event.at }
        : state;
    case 'disputed':
      return { ...state, unsubscribedAt: state.unsubscribedAt ?? event.at };
    case 'dispute_closed':
      return event.endsAt ? reopen(state, event.endsAt) : state;
    case 'expired':
      return { ...state, endedAt: event.at, charge: null, nextAttemptAt: null };
  }
}

/** Reduces events in order to the state of a subscription. Throws where there are none. */
export function reduceEvents(events: readonly SubscriptionEvent[], from?: Subscription): Subscription {
  const state = events.reduce<Subscription | undefined>(applyEvent, from);
  if (!state) throw new Error('A subscription has at least one event.');
  return state;
}
