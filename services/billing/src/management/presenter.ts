import type { Plan, PurchasedSubscription, Receipt } from '@escucho/contracts';
import type { Catalogue } from '../offerings/catalogue.ts';
import { type Subscriber, toServerTime } from '../subscribers/policy.ts';
import type { Subscription, SubscriptionEvent, Terms } from '../subscriptions/events.ts';
import {
  canCancel,
  canChangePlan,
  canResume,
  needsConfirmation,
  willRenew,
} from '../subscriptions/policy.ts';

type Products = Catalogue['products'];

/** Returns the title of a product; the id of one that is not on sale any more. */
const getTitle = (products: Products, product: string): string =>
  products.find(({ identifier }) => identifier === product)?.title ?? product;

const toPlan = (products: Products, { product, price, period }: Terms): Plan => ({
  product,
  title: getTitle(products, product),
  price,
  period,
});

export const toPlans = (products: Products): Plan[] =>
  products.map(({ identifier, title, price, period }) => ({ product: identifier, title, price, period }));

/** Converts a subscription for its owner; null for a granted one. `now`: by the subscriber's clock. */
export function toPurchasedSubscription(
  state: Subscription,
  subscriber: Subscriber,
  products: Products,
  now: Date,
): PurchasedSubscription | null {
  const { terms, expiresAt, unsubscribedAt, billingIssueAt, graceEndsAt, nextTerms } = state;
  if (!terms || !expiresAt) return null;
  const toIso = (moment: Date) => toServerTime(subscriber, moment).toISOString();
  const toIsoOrNull = (moment: Date | null) => (moment ? toIso(moment) : null);
  return {
    plan: toPlan(products, terms),
    isTrial: state.periodType === 'trial',
    startedAt: toIso(state.startedAt),
    periodStartedAt: toIso(state.purchasedAt),
    endsAt: toIso(expiresAt),
    willRenew: willRenew(state),
    unsubscribedAt: toIsoOrNull(unsubscribedAt),
    billingIssueAt: toIsoOrNull(billingIssueAt),
    graceEndsAt: toIsoOrNull(graceEndsAt),
    needsConfirmation: needsConfirmation(state),
    nextPlan: nextTerms && toPlan(products, nextTerms),
    canCancel: canCancel(state),
    canResume: canResume(state, now),
    canChangePlan: canChangePlan(state, now),
  };
}

/** Converts the events of payments and refunds to receipts, in the same order. */
export function toReceipts(
  events: readonly SubscriptionEvent[],
  subscriber: Subscriber,
  products: Products,
): Receipt[] {
  const refunds = new Map<string, number>();
  for (const event of events) {
    if (event.kind === 'refunded') refunds.set(event.key, (refunds.get(event.key) ?? 0) + event.money.amount);
  }
  return events
    .filter((event) => event.kind === 'paid')
    .map(({ key, at, product, money }) => ({
      _id: key,
      paidAt: toServerTime(subscriber, at).toISOString(),
      plan: { product, title: getTitle(products, product) },
      paid: money,
      refunded: refunds.get(key) ?? 0,
    }));
}
