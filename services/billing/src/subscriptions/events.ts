import * as z from 'zod/mini';
import { period } from './period.ts';

/** A moment as JSON keeps it. */
const moment = z.pipe(
  z.union([z.iso.datetime(), z.date()]),
  z.transform((value) => new Date(value)),
);

/** An amount in the currency's smallest unit, never a fraction, and its ISO 4217 code. */
export const money = z.object({
  amount: z.int().check(z.minimum(0)),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
});
export type Money = z.infer<typeof money>;

/** What somebody agreed to pay for: the product's price for a period, after a trial if one was given. */
export const terms = z.object({
  product: z.string(),
  option: z.string(),
  price: money,
  period,
  trial: z.nullable(period),
  /** The card gateway's name for the price, where it keeps prices. */
  gatewayPrice: z.optional(z.string()),
});
export type Terms = z.infer<typeof terms>;

const charge = z.object({ key: z.string(), terms });

const store = z.enum(['rc_billing', 'promotional']);
const periodType = z.enum(['normal', 'trial']);

const at = moment;

/**
 * What can happen to a subscription, as the ledger keeps it. Every date that follows from a rule is written down, so
 * that a rule may change without changing the past.
 */
export const event = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('started'),
    at,
    terms: z.nullable(terms),
    periodType,
    endsAt: z.nullable(moment),
    store,
    isSandbox: z.boolean(),
    /** The card gateway's name for the subscription that it keeps and renews; none where it only charges. */
    gatewaySubscription: z.optional(z.string()),
  }),
  /** A charge was callStripe for; whether money moved is not known yet. */
  z.object({ kind: z.literal('charge_begun'), at, key: z.string(), terms, attempt: z.int() }),
  z.object({
    kind: z.literal('paid'),
    at,
    key: z.string(),
    product: z.string(),
    money,
    reference: z.string(),
  }),
  z.object({
    kind: z.literal('renewed'),
    at,
    terms,
    startsAt: moment,
    endsAt: moment,
    anchorAt: moment,
    count: z.int(),
  }),
  z.object({
    kind: z.literal('unpaid'),
    at,
    key: z.string(),
    reason: z.string(),
    graceEndsAt: z.nullable(moment),
    nextAttemptAt: z.nullable(moment),
  }),
  /** A charge that was begun turned out never to have been made, and is wanted no more. */
  z.object({ kind: z.literal('charge_dropped'), at, key: z.string() }),
  z.object({ kind: z.literal('cancelled'), at, by: z.enum(['user', 'gateway', 'deletion']) }),
  /** `gatewaySubscription`: the one that the gateway began for it, where the former was over. */
  z.object({ kind: z.literal('resumed'), at, gatewaySubscription: z.optional(z.string()) }),
  /** From the next renewal on; null: as it is now. */
  z.object({ kind: z.literal('plan_chosen'), at, terms: z.nullable(terms) }),
  /** `dispute`: it was taken back by the cardholder's bank. */
  z.object({
    kind: z.literal('refunded'),
    at,
    key: z.string(),
    money,
    endsIt: z.boolean(),
    dispute: z.optional(z.string()),
  }),
  /** The cardholder's bank wants a payment back; the gateway's name for the dispute. */
  z.object({ kind: z.literal('disputed'), at, key: z.string(), dispute: z.string(), money }),
  /** `endsAt`: until when what was paid opens the door again; null: it does not. */
  z.object({
    kind: z.literal('dispute_closed'),
    at,
    key: z.string(),
    dispute: z.string(),
    outcome: z.enum(['won', 'lost']),
    endsAt: z.nullable(moment),
  }),
  z.object({
    kind: z.literal('expired'),
    at,
    reason: z.enum(['cancelled', 'unpaid', 'refunded', 'disputed', 'deleted']),
  }),
]);
export type SubscriptionEvent = z.infer<typeof event>;

/** Where a subscription stands: what its events come to. */
export const subscription = z.object({
  terms: z.nullable(terms),
  nextTerms: z.nullable(terms),
  store,
  isSandbox: z.boolean(),
  gatewaySubscription: z._default(z.nullable(z.string()), null),
  periodType,
  startedAt: moment,
  /** When the period that runs began, and when it ends; no end: given for good. */
  purchasedAt: moment,
  expiresAt: z.nullable(moment),
  /** `expiresAt` is so many periods after this. */
  anchorAt: moment,
  count: z.int(),
  /** How often it was renewed, and how often in vain since. */
  renewals: z.int(),
  attempts: z.int(),
  charge: z.nullable(charge),
  unsubscribedAt: z.nullable(moment),
  billingIssueAt: z.nullable(moment),
  /** Why the last charge was refused, while one is in vain. */
  unpaidReason: z._default(z.nullable(z.string()), null),
  graceEndsAt: z.nullable(moment),
  nextAttemptAt: z.nullable(moment),
  refundedAt: z.nullable(moment),
  /** Since when it is shut for a payment that is disputed. */
  disputedAt: z._default(z.nullable(moment), null),
  endedAt: z.nullable(moment),
});
export type Subscription = z.infer<typeof subscription>;
