import * as z from 'zod/mini';
import { dateTime } from '../fields.ts';

/** An amount in the currency's smallest unit (cents), and its ISO 4217 code. */
const money = z.object({ amount: z.int(), currency: z.string() });

/** What is paid for: a product's price for a period (`P1M`, `P6M`, `P1Y`). */
export const plan = z.object({
  product: z.string(),
  title: z.string(),
  price: money,
  period: z.string(),
});
export type Plan = z.infer<typeof plan>;

/** A subscription that was bought, as its owner manages it (SUB-07). */
export const purchasedSubscription = z.object({
  plan,
  isTrial: z.boolean(),
  startedAt: dateTime,
  /** When the period that runs began, and when it ends; it is renewed then if `willRenew`. */
  periodStartedAt: dateTime,
  endsAt: dateTime,
  willRenew: z.boolean(),
  unsubscribedAt: z.nullable(dateTime),
  /** Since when a renewal could not be paid, and until when the door stays open all the same. */
  billingIssueAt: z.nullable(dateTime),
  graceEndsAt: z.nullable(dateTime),
  /** It could not be paid because the card's bank wants its owner to confirm it. */
  needsConfirmation: z.boolean(),
  /** The plan from the next renewal on, where another was chosen. */
  nextPlan: z.nullable(plan),
  canCancel: z.boolean(),
  canResume: z.boolean(),
  canChangePlan: z.boolean(),
});
export type PurchasedSubscription = z.infer<typeof purchasedSubscription>;

/**
 * What a reader manages: the subscription that runs, if one does and was bought; what else is for sale; the card gateway's
 * or the provider's own page, where there is one.
 */
export const subscriptionManagement = z.object({
  current: z.nullable(purchasedSubscription),
  plans: z.array(plan),
  managementUrl: z.nullable(z.string()),
});
export type SubscriptionManagement = z.infer<typeof subscriptionManagement>;

/** What a page needs to speak to the card gateway about one card form or charge. */
const gatewayKeys = z.object({
  clientSecret: z.string(),
  publishableKey: z.string(),
  accountId: z.string(),
});

/** A form for another card, and its name. */
export const cardSetup = z.object({ ...gatewayKeys.shape, setup: z.string() });
export type CardSetup = z.infer<typeof cardSetup>;

/** A charge that the card's owner is to confirm with the bank. */
export const paymentConfirmation = z.object({ ...gatewayKeys.shape, card: z.string() });
export type PaymentConfirmation = z.infer<typeof paymentConfirmation>;

/** What became of paying; `confirmation`: what is left for the owner to do. */
export const paymentResult = z.object({
  ...subscriptionManagement.shape,
  confirmation: z.nullable(paymentConfirmation),
});
export type PaymentResult = z.infer<typeof paymentResult>;

/** A payment: what was paid for what, and what was given back of it, in the smallest unit. */
export const receipt = z.object({
  _id: z.string(),
  paidAt: dateTime,
  plan: z.object({ product: z.string(), title: z.string() }),
  paid: money,
  refunded: z.int(),
});
export type Receipt = z.infer<typeof receipt>;
