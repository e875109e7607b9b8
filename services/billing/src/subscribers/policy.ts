import type { Subscription } from '../subscriptions/events.ts';
import { isActive, willRenew } from '../subscriptions/policy.ts';

/** Where cards are charged: with play money, or with real. */
export type Environment = 'sandbox' | 'production';

/** Whoever buys. */
export interface Subscriber {
  id: string;
  /** The app's name for the subscriber; null for one who was forgotten. */
  appUserId: string | null;
  email: string | null;
  /** Who pays, and with what, by the gateways' names. */
  payers: { [Where in Environment]?: { customer: string; card: string } | undefined };
  /** Seconds that the subscriber's clock is clockOffset of ours. */
  clockOffset: number;
  firstSeenAt: Date;
}

/** Names that stand for nobody: what programs write where they have none. */
const nobody = new Set([
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

/** Whether an app may call a subscriber so (SUB-05). */
export const isAppUserId = (name: string): boolean =>
  name.length <= 100 && !nobody.has(name) && !/[/\p{Cc}]/u.test(name);

/** Whether it looks like an address: something, one @, something, a dot, something. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@.\p{Cc}]+$/u.test(text);

export const getEnvironment = ({ isSandbox }: { isSandbox: boolean }): Environment =>
  isSandbox ? 'sandbox' : 'production';

/** The time by the subscriber's own clock. */
export const toSubscriberTime = ({ clockOffset }: Pick<Subscriber, 'clockOffset'>, now: Date): Date =>
  new Date(now.getTime() + clockOffset * 1000);

/** A moment of the subscriber's clock as everybody else knows it. */
export const toServerTime = ({ clockOffset }: Pick<Subscriber, 'clockOffset'>, moment: Date): Date =>
  new Date(moment.getTime() - clockOffset * 1000);

/** Whether any of them opens the door. In: the time by the subscriber's clock. */
export const hasAccess = (states: readonly Subscription[], now: Date): boolean =>
  states.some((state) => isActive(state, now));

/** Whether there is nothing to buy: the door is open, or a gateway is about to renew what opens it. */
export const isSubscribed = (states: readonly Subscription[], now: Date): boolean =>
  hasAccess(states, now) || states.some((state) => state.gatewaySubscription !== null && willRenew(state));

/** Trials are for those who never paidPeriod anything. */
export const isTrialEligible = (states: readonly Subscription[]): boolean =>
  states.every(({ store }) => store === 'promotional');
