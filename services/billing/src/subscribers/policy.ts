import type { Subscription } from '../subscriptions/events.ts';
import { isActive, willRenew } from '../subscriptions/policy.ts';

/** Whether cards are charged for real. */
export type Environment = 'sandbox' | 'production';

export interface Subscriber {
  id: string;
  /** Null once the subscriber is deleted. */
  appUserId: string | null;
  email: string | null;
  /** The customer and the card at each gateway, by the gateway's ids. */
  payers: { [E in Environment]?: { customer: string; card: string } | undefined };
  /** How many seconds the subscriber's clock is ahead of the server's. */
  clockOffset: number;
  firstSeenAt: Date;
}

/** Values that programs send where they have no user id. */
const placeholderIds = new Set([
  '',
  '\\x00',
  '(null)',
  'NaN',
  'nil',
  'no_user',
  'none',
  'null',
  'undefined',
  'unidentified',
  'unknown',
]);

/** Whether an app user id is allowed (SUB-05). */
export const isAppUserId = (name: string): boolean =>
  name.length <= 100 && !placeholderIds.has(name) && !/[/\p{Cc}]/u.test(name);

export const getEnvironment = ({ isSandbox }: { isSandbox: boolean }): Environment =>
  isSandbox ? 'sandbox' : 'production';

/** Converts the server's time to the subscriber's clock. */
export const toSubscriberTime = ({ clockOffset }: Pick<Subscriber, 'clockOffset'>, now: Date): Date =>
  new Date(now.getTime() + clockOffset * 1000);

/** Converts a date by the subscriber's clock to the server's time. */
export const toServerTime = ({ clockOffset }: Pick<Subscriber, 'clockOffset'>, date: Date): Date =>
  new Date(date.getTime() - clockOffset * 1000);

/** Whether any subscription gives access. `now`: by the subscriber's clock. */
export const hasAccess = (states: readonly Subscription[], now: Date): boolean =>
  states.some((state) => isActive(state, now));

/** Whether there is nothing to buy: there is access, or a gateway is about to renew. */
export const isSubscribed = (states: readonly Subscription[], now: Date): boolean =>
  hasAccess(states, now) || states.some((state) => state.gatewaySubscription !== null && willRenew(state));

/** Trials are for subscribers who never bought anything. */
export const isTrialEligible = (states: readonly Subscription[]): boolean =>
  states.every(({ store }) => store === 'promotional');
