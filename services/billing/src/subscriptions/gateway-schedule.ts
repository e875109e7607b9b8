import type { Subscription, SubscriptionEvent, Terms } from './events.ts';

/** How a subscription continues when its period ends, as the gateway must know it. */
export interface GatewaySchedule {
  cancelAtPeriodEnd: boolean;
  /** The terms of the next period; null: the current ones. */
  next: Terms | null;
}

/** The state of a subscription at the gateway. `price`: the gateway's id of the price it renews with. */
export interface GatewayState {
  hasEnded: boolean;
  cancelAtPeriodEnd: boolean;
  price: string;
}

/** Returns the schedule that the gateway must have. */
export const toGatewaySchedule = ({ unsubscribedAt, nextTerms }: Subscription): GatewaySchedule =>
  unsubscribedAt ? { cancelAtPeriodEnd: true, next: null } : { cancelAtPeriodEnd: false, next: nextTerms };

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
  if (price === (nextTerms ?? terms).gatewayPrice) return [];
  if (price === terms.gatewayPrice) return [{ kind: 'plan_chosen', at, terms: null }];
  const chosen = findTermsByPrice(price);
  return chosen ? [{ kind: 'plan_chosen', at, terms: chosen }] : [];
}
