import * as z from 'zod/mini';
import { dateTime, patternText } from '../fields.ts';

/** An amount in minor units (cents), and its ISO 4217 code. */
const money = z.object({ amount: z.int(), currency: z.string() });

/** A plan: a product's price for a period (`P1M`, `P6M`, `P1Y`). */
const plan = z.object({
  product: z.string(),
  title: z.string(),
  price: money,
  period: z.string(),
});
export type Plan = z.infer<typeof plan>;

/** A purchased subscription as its owner manages it (SUB-07). */
const purchasedSubscription = z.object({
  plan,
  isTrial: z.boolean(),
  startedAt: dateTime,
  /** Start and end of the current period; it is renewed at its end if `willRenew`. */
  periodStartedAt: dateTime,
  endsAt: dateTime,
  willRenew: z.boolean(),
  unsubscribedAt: z.nullable(dateTime),
  /** When a renewal failed, and until when access continues in the grace period. */
  billingIssueAt: z.nullable(dateTime),
  graceEndsAt: z.nullable(dateTime),
  /** Whether the payment waits for a confirmation by the card's owner. */
  needsConfirmation: z.boolean(),
  /** The plan that applies from the next renewal, if another was chosen. */
  nextPlan: z.nullable(plan),
  canCancel: z.boolean(),
  canResume: z.boolean(),
  canChangePlan: z.boolean(),
});
export type PurchasedSubscription = z.infer<typeof purchasedSubscription>;

/**
 * What a user manages: the purchased subscription that is active, if any; the plans for sale; the management page of the
 * card gateway or provider, if there is one.
 */
export const subscriptionManagement = z.object({
  current: z.nullable(purchasedSubscription),
  plans: z.array(plan),
  managementUrl: z.nullable(z.string()),
});
export type SubscriptionManagement = z.infer<typeof subscriptionManagement>;

/** The keys with which a page uses the card gateway for one card form or charge. */
const gatewayKeys = z.object({
  clientSecret: z.string(),
  publishableKey: z.string(),
  accountId: z.string(),
});

/** A form for another card, and its id. */
export const cardSetup = z.object({ ...gatewayKeys.shape, setup: z.string() });
export type CardSetup = z.infer<typeof cardSetup>;

/** A completed form for another card, by its id. */
export const completedCardSetup = z.object({ setup: patternText(/^[\w-]{1,200}$/) });

/** A charge that the card's owner must confirm with the bank. */
const paymentConfirmation = z.object({ ...gatewayKeys.shape, card: z.string() });
export type PaymentConfirmation = z.infer<typeof paymentConfirmation>;

/** The result of a payment; `confirmation` is what the card's owner still has to confirm. */
export const paymentResult = z.object({
  ...subscriptionManagement.shape,
  confirmation: z.nullable(paymentConfirmation),
});
export type PaymentResult = z.infer<typeof paymentResult>;

/** A payment, its plan, and the refunded amount in minor units. */
export const receipt = z.object({
  _id: z.string(),
  paidAt: dateTime,
  plan: z.object({ product: z.string(), title: z.string() }),
  paid: money,
  refunded: z.int(),
});
export type Receipt = z.infer<typeof receipt>;

/** Currencies whose minor unit is not a hundredth, by the number of digits, as Stripe lists them. */
const exceptions: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF',
  3: 'BHD JOD KWD OMR TND',
};

/**
 * Returns the number of minor-unit digits of a currency: 2 (BUY-05), 0 for yen, 3 for dinars. Intl's number is how
 * prices are written (no cents for Colombian pesos), not how amounts are counted.
 *
 * @param currency - an ISO 4217 code
 */
function getMinorDigits(currency: string): number {
  const found = Object.entries(exceptions).find(([, codes]) => codes.includes(currency.toUpperCase()));
  return found ? Number(found[0]) : 2;
}

/** Formats an amount in minor units for a locale, with further options of `Intl.NumberFormat`. */
export function formatMoney(
  { amount, currency }: { amount: number; currency: string },
  language: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const digits = getMinorDigits(currency);
  const digitOptions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    ...digitOptions,
    ...options,
  });
  return format.format(amount / 10 ** digits);
}
