import type { Fact, Subscription, Terms } from './facts.ts';

/** How a subscription goes on when its period ends, as a gateway that keeps subscriptions is told. */
export interface Arrangement {
  cancelsAtEnd: boolean;
  /** What it is renewed by; null: by what it is now. */
  next: Terms | null;
}

/** How a subscription stands at such a gateway. `price`: the gateway's name for what it will be renewed by. */
export interface Standing {
  isOver: boolean;
  cancelsAtEnd: boolean;
  price: string;
}

/** What a gateway is to be told of a subscription. */
export const arrangementOf = ({ unsubscribedAt, nextTerms }: Subscription): Arrangement =>
  unsubscribedAt ? { cancelsAtEnd: true, next: null } : { cancelsAtEnd: false, next: nextTerms };

/**
 * What was changed at the gateway, by its own pages for customers or by us there. In: the subscription, how it stands
 * there, what is for sale by the gateway's names for prices, the time. Out: nothing where that was known. What is over
 * there stays open here for as long as it was paid for.
 */
export function standingFacts(
  state: Subscription,
  { isOver, cancelsAtEnd, price }: Standing,
  termsOfPrice: (price: string) => Terms | undefined,
  at: Date,
): Fact[] {
  const { terms, nextTerms, unsubscribedAt, refundedAt, endedAt, expiresAt } = state;
  if (endedAt || refundedAt || !terms) return [];
  if (isOver || cancelsAtEnd) return unsubscribedAt ? [] : [{ kind: 'cancelled', at, by: 'gateway' }];
  if (unsubscribedAt) return expiresAt && expiresAt > at ? [{ kind: 'resumed', at }] : [];
  if (price === (nextTerms ?? terms).gatewayPrice) return [];
  if (price === terms.gatewayPrice) return [{ kind: 'plan_chosen', at, terms: null }];
  const chosen = termsOfPrice(price);
  return chosen ? [{ kind: 'plan_chosen', at, terms: chosen }] : [];
}
