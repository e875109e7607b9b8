import type { Subscription, SubscriptionEvent, Terms } from './events.ts';

/** How a subscription continues when its period ends, as the gateway must know it. */
export interface GatewaySchedule {
  cancelAtPeriodEnd: boolean;
  /** The terms of the next period; null: the current ones. */
  next: Terms | null;
  /** The terms of the current period. The gateway may have another price, e.g. where it began with a plan chosen before. */
  current: Terms | null;
}

/** The state of a subscription at the gateway. `price`: the gateway's id of the price it renews with. */
export interface GatewayState {
  hasEnded: boolean;
  cancelAtPeriodEnd: boolean;
  price: string;
}

/** Returns the schedule that the gateway must have. */
export const toGatewaySchedule = ({ unsubscribedAt, terms, nextTerms }: Subscription): GatewaySchedule => ({
  cancelAtPeriodEnd: unsubscribedAt !== null,
  next: unsubscribedAt ? null : nextTerms,
  current: terms,
});

/** Whether terms are of the same product at the same price. */
export const isSamePlan = (one: Terms, other: Terms): boolean =>
  one.product === other.product &&
  one.price.amount === other.price.amount &&
  one.price.currency === other.price.currency;

/**
 * Returns the events for what was changed at the gateway, e.g. in its customer portal; none for what is known. A subscription
 * that has ended there stays active here for as long as it is paid.
 */
export function toGatewayStateEvents(
  state: Subscription,
  { hasEnded, cancelAtPeriodEnd, price }: GatewayState,
  findTermsByPrice: (price: string) => Terms | undefined,
  at: Date,
): SubscriptionEvent[] {
  const { terms, nextTerms, unsubscribedAt, refundedAt, endedAt, expiresAt } = state;
  if (endedAt || refundedAt || !terms) return [];
  if (hasEnded || cancelAtPeriodEnd) return unsubscribedAt ? [] : [{ kind: 'cancelled', at, by: 'gateway' }];
  if (unsubscribedAt) return expiresAt && expiresAt > at ? [{ kind: 'resumed', at }] : [];
  const chosen = findTermsByPrice(price);
  // Terms that were agreed while the gateway's prices were unknown contain no id.
  const isPriceOf = (known: Terms) =>
    known.gatewayPrice ? known.gatewayPrice === price : chosen && isSamePlan(chosen, known);
  if (isPriceOf(nextTerms ?? terms)) return [];
  if (isPriceOf(terms)) return [{ kind: 'plan_chosen', at, terms: null }];
  return chosen ? [{ kind: 'plan_chosen', at, terms: chosen }] : [];
}
