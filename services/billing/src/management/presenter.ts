import type { Plan, PurchasedSubscription, Receipt } from '@escucho/contracts';
import type { CatalogueFile } from '../offerings/catalogue.ts';
import { type Subscriber, shownAt } from '../subscribers/policy.ts';
import type { Fact, Subscription, Terms } from '../subscriptions/facts.ts';
import { canCancel, canResume, needsConfirmation, willRenew } from '../subscriptions/policy.ts';

type Products = CatalogueFile['products'];

/** What is still sold has a title; what is not goes by its id. */
const titleOf = (products: Products, product: string): string =>
  products.find(({ identifier }) => identifier === product)?.title ?? product;

const planOf = (products: Products, { product, price, period }: Terms): Plan => ({
  ...{ product, title: titleOf(products, product), price, period },
});

/** What is for sale. */
export const plansOf = (products: Products): Plan[] =>
  products.map(({ identifier, title, price, period }) => ({ product: identifier, title, price, period }));

/** A subscription as its owner manages it; nothing for a gift. In: the time by the subscriber's clock. */
export function managementOnTheWire(
  state: Subscription,
  subscriber: Subscriber,
  products: Products,
  now: Date,
): PurchasedSubscription | null {
  const { terms, expiresAt, unsubscribedAt, billingIssueAt, graceEndsAt, nextTerms } = state;
  if (!terms || !expiresAt) return null;
  const shown = (moment: Date) => shownAt(subscriber, moment).toISOString();
  const shownOrNull = (moment: Date | null) => (moment ? shown(moment) : null);
  return {
    plan: planOf(products, terms),
    isTrial: state.periodType === 'trial',
    startedAt: shown(state.startedAt),
    periodStartedAt: shown(state.purchasedAt),
    endsAt: shown(expiresAt),
    willRenew: willRenew(state),
    unsubscribedAt: shownOrNull(unsubscribedAt),
    billingIssueAt: shownOrNull(billingIssueAt),
    graceEndsAt: shownOrNull(graceEndsAt),
    needsConfirmation: needsConfirmation(state),
    nextPlan: nextTerms && planOf(products, nextTerms),
    canCancel: canCancel(state),
    canResume: canResume(state, now),
    canChangePlan: canCancel(state),
  };
}

/** Payments as receipts, in their order. In: entries of the ledger, payments and what was given back of them. */
export function receiptsOf(facts: readonly Fact[], subscriber: Subscriber, products: Products): Receipt[] {
  const given = new Map<string, number>();
  for (const fact of facts) {
    if (fact.kind === 'refunded') given.set(fact.key, (given.get(fact.key) ?? 0) + fact.money.amount);
  }
  return facts.flatMap((fact) =>
    fact.kind === 'paid'
      ? [
          {
            _id: fact.key,
            paidAt: shownAt(subscriber, fact.at).toISOString(),
            plan: { product: fact.product, title: titleOf(products, fact.product) },
            paid: fact.money,
            refunded: given.get(fact.key) ?? 0,
          },
        ]
      : [],
  );
}
