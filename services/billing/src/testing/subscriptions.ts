import {
  reduceEvents,
  type Subscription,
  type SubscriptionEvent,
  type Terms,
} from '../subscriptions/events.ts';
import { type ChargeOutcome, getNextStep, toChargeEvents, toStartEvents } from '../subscriptions/policy.ts';

export const at = (text: string) => new Date(text);
export const monthly: Terms = {
  product: 'monthly',
  option: 'base_option',
  price: { amount: 300, currency: 'USD' },
  period: 'P1M',
  trial: null,
};
export const yearly: Terms = {
  ...monthly,
  product: 'yearly',
  price: { amount: 2700, currency: 'USD' },
  period: 'P1Y',
};
export const trial: Terms = { ...monthly, option: 'trial', trial: 'P3D' };

export const startedAt = at('2026-01-31T10:00:00Z');
export const charge = { key: 'checkout_1', reference: 'r1' };
export const paidPeriod = (terms = monthly) =>
  reduceEvents(toStartEvents({ terms, isTrial: false, isSandbox: true, at: startedAt }, charge));
export const onTrial = () =>
  reduceEvents(toStartEvents({ terms: trial, isTrial: true, isSandbox: true, at: startedAt }, undefined));

export const succeeded: ChargeOutcome = { status: 'succeeded', reference: 'r2' };
export const declined: ChargeOutcome = { status: 'failed', reason: 'card_declined' };

/** Processes everything that is due at `now`, where every charge has the same outcome. */
export function processDue(
  state: Subscription,
  now: Date,
  outcome: ChargeOutcome,
): { state: Subscription; events: SubscriptionEvent[] } {
  const all: SubscriptionEvent[] = [];
  let current = state;
  const apply = (events: SubscriptionEvent[]) => {
    all.push(...events);
    if (events.length > 0) current = reduceEvents(events, current);
  };
  for (let step = getNextStep('s', current, now); step; step = getNextStep('s', current, now)) {
    if ('events' in step) apply(step.events);
    else apply(toChargeEvents(current, step, outcome, now));
  }
  return { state: current, events: all };
}

export const cancelled = (state: Subscription, now: Date) =>
  reduceEvents([{ kind: 'cancelled', at: now, by: 'user' }], state);
