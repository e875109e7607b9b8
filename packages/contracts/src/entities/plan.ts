import * as z from 'zod/mini';
import { moment } from '../fields.ts';

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
export const boughtSubscription = z.object({
  plan,
  isTrial: z.boolean(),
  startedAt: moment,
  /** When the period that runs began, and when it ends; it is renewed then if `willRenew`. */
  periodStartedAt: moment,
  endsAt: moment,
  willRenew: z.boolean(),
  unsubscribedAt: z.nullable(moment),
  /** Since when a renewal could not be paid, and until when the door stays open all the same. */
  billingIssueAt: z.nullable(moment),
  graceEndsAt: z.nullable(moment),
  /** It could not be paid because the card's bank wants its owner to confirm it. */
  needsConfirmation: z.boolean(),
  /** The plan from the next renewal on, where another was chosen. */
  nextPlan: z.nullable(plan),
  canCancel: z.boolean(),
  canResume: z.boolean(),
  canChangePlan: z.boolean(),
});
export type BoughtSubscription = z.infer<typeof boughtSubscription>;

/**
 * What a reader manages: the subscription that runs, if one does and was bought; what else is for sale; the card gateway's
 * or the provider's own page, where there is one.
 */
export const management = z.object({
  current: z.nullable(boughtSubscription),
  plans: z.array(plan),
  managementUrl: z.nullable(z.string()),
});
export type Management = z.infer<typeof management>;

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
export const confirmation = z.object({ ...gatewayKeys.shape, card: z.string() });
export type Confirmation = z.infer<typeof confirmation>;

/** What became of paying; `confirmation`: what is left for the owner to do. */
export const paying = z.object({ ...management.shape, confirmation: z.nullable(confirmation) });
export type Paying = z.infer<typeof paying>;

/** A payment: what was paid for what, and what was given back of it, in the smallest unit. */
export const receipt = z.object({
  _id: z.string(),
  paidAt: moment,
  plan: z.object({ product: z.string(), title: z.string() }),
  paid: money,
  refunded: z.int(),
});
export type Receipt = z.infer<typeof receipt>;
