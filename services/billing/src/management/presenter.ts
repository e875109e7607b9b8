import type { Plan, PurchasedSubscription, Receipt } from '@escucho/contracts';
import type { Catalogue } from '../offerings/catalogue.ts';
import { type Subscriber, toServerTime } from '../subscribers/policy.ts';
import type { Subscription, SubscriptionEvent, Terms } from '../subscriptions/events.ts';
import { canCancel, canResume, needsConfirmation, willRenew } from '../subscriptions/policy.ts';

type Products = Catalogue['products'];

/** What is still sold has a title; what is not goes by its id. */
const titleOf = (products: Products, product: string): string =>
  products.find(({ identifier }) => identifier === product)?.title ?? product;

const toPlan = (products: Products, { product, price, period }: Terms): Plan => ({
  product,
  title: titleOf(products, product),
  price,
  period,
});

/** What is for sale. */
export const toPlans = (products: Products): Plan[] =>
  products.map(({ identifier, title, price, period }) => ({ product: identifier, title, price, period }));

/** A subscription as its owner manages it; nothing for a toGiftEvents. In: the time by the subscriber's clock. */
export function toPurchasedSubscription(
  state: Subscription,
  subscriber: Subscriber,
  products: Products,
  now: Date,
): PurchasedSubscription | null {
  const { terms, expiresAt, unsubscribedAt, billingIssueAt, graceEndsAt, nextTerms } = state;
  if (!terms || !expiresAt) return null;
  const shown = (moment: Date) => toServerTime(subscriber, moment).toISOString();
  const shownOrNull = (moment: Date | null) => (moment ? shown(moment) : null);
  return {
    plan: toPlan(products, terms),
    isTrial: state.periodType === 'trial',
    startedAt: shown(state.startedAt),
    periodStartedAt: shown(state.purchasedAt),
    endsAt: shown(expiresAt),
    willRenew: willRenew(state),
    unsubscribedAt: shownOrNull(unsubscribedAt),
    billingIssueAt: shownOrNull(billingIssueAt),
    graceEndsAt: shownOrNull(graceEndsAt),
    needsConfirmation: needsConfirmation(state),
    nextPlan: nextTerms && toPlan(products, nextTerms),
    canCancel: canCancel(state),
    canResume: canResume(state, now),
    canChangePlan: canCancel(state),
  };
}

/** Payments as receipts, in their order. In: entries of the ledger, payments and what was given back of them. */
export function toReceipts(
  events: readonly SubscriptionEvent[],
  subscriber: Subscriber,
  products: Products,
): Receipt[] {
  const given = new Map<string, number>();
  for (const event of events) {
    if (event.kind === 'refunded') given.set(event.key, (given.get(event.key) ?? 0) + event.money.amount);
  }
  return events.flatMap((event) =>
    event.kind === 'paid'
      ? [
          {
            _id: event.key,
            paidAt: toServerTime(subscriber, event.at).toISOString(),
            plan: { product: event.product, title: titleOf(products, event.product) },
            paid: event.money,
            refunded: given.get(event.key) ?? 0,
          },
        ]
      : [],
  );
}
