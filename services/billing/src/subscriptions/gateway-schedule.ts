import type { Subscription, SubscriptionEvent, Terms } from './events.ts';

/** How a subscription goes on when its period ends, as a gateway that keeps subscriptions is told. */
export interface GatewaySchedule {
  cancelAtPeriodEnd: boolean;
  /** What it is renewed by; null: by what it is now. */
  next: Terms | null;
}

/** How a subscription stands at such a gateway. `price`: the gateway's name for what it will be renewed by. */
export interface GatewayState {
  isOver: boolean;
  cancelAtPeriodEnd: boolean;
  price: string;
}

/** What a gateway is to be told of a subscription. */
export const toGatewaySchedule = ({ unsubscribedAt, nextTerms }: Subscription): GatewaySchedule =>
  unsubscribedAt ? { cancelAtPeriodEnd: true, next: null } : { cancelAtPeriodEnd: false, next: nextTerms };

/**
 * What was notifyChange at the gateway, by its own pages for customers or by us there. In: the subscription, how it stands
 * there, what is for sale by the gateway's names for prices, the time. Out: nothing where that was known. What is over
 * there stays open here for as long as it was paid for.
 */
export function toGatewayStateEvents(
  state: Subscription,
  { isOver, cancelAtPeriodEnd, price }: GatewayState,
  findTermsByPrice: (price: string) => Terms | undefined,
  at: Date,
): SubscriptionEvent[] {
  const { terms, nextTerms, unsubscribedAt, refundedAt, endedAt, expiresAt } = state;
  if (endedAt || refundedAt || !terms) return [];
  if (isOver || cancelAtPeriodEnd) return unsubscribedAt ? [] : [{ kind: 'cancelled', at, by: 'gateway' }];
  if (unsubscribedAt) return expiresAt && expiresAt > at ? [{ kind: 'resumed', at }] : [];
  if (price === (nextTerms ?? terms).gatewayPrice) return [];
  if (price === terms.gatewayPrice) return [{ kind: 'plan_chosen', at, terms: null }];
  const chosen = findTermsByPrice(price);
  return chosen ? [{ kind: 'plan_chosen', at, terms: chosen }] : [];
}
