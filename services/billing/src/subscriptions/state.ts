import type { Subscription, SubscriptionEvent } from './events.ts';

function started(event: Extract<SubscriptionEvent, { kind: 'started' }>): Subscription {
  return {
    terms: event.terms,
    nextTerms: null,
    store: event.store,
    isSandbox: event.isSandbox,
    gatewaySubscription: event.gatewaySubscription ?? null,
    periodType: event.periodType,
    startedAt: event.at,
    purchasedAt: event.at,
    expiresAt: event.endsAt,
    anchorAt: event.at,
    count: 1,
    renewals: 0,
    attempts: 0,
    charge: null,
    unsubscribedAt: null,
    billingIssueAt: null,
    unpaidReason: null,
    graceEndsAt: null,
    nextAttemptAt: null,
    refundedAt: null,
    disputedAt: null,
    endedAt: null,
  };
}

function renewed(state: Subscription, event: Extract<SubscriptionEvent, { kind: 'renewed' }>): Subscription {
  return {
    ...state,
    terms: event.terms,
    nextTerms: state.nextTerms?.product === event.terms.product ? null : state.nextTerms,
    periodType: 'normal',
    purchasedAt: event.startsAt,
    expiresAt: event.endsAt,
    anchorAt: event.anchorAt,
    count: event.count,
    renewals: state.renewals + 1,
    attempts: 0,
    charge: null,
    billingIssueAt: null,
    unpaidReason: null,
    graceEndsAt: null,
    nextAttemptAt: null,
    // What was given back was paid for another period.
    refundedAt: null,
    endedAt: null,
  };
}

/** What was paid for and shut meanwhile opens again, to be renewed by nobody unless its owner resumes it. */
function applyDisputeClosed(
  state: Subscription,
  event: Extract<SubscriptionEvent, { kind: 'dispute_closed' }>,
): Subscription {
  const { outcome, endsAt } = event;
  if (!endsAt) return { ...state, disputedAt: outcome === 'lost' ? null : state.disputedAt };
  return { ...state, expiresAt: endsAt, anchorAt: endsAt, count: 0, disputedAt: null, endedAt: null };
}

/** A subscription one event later. In: what it was, if it was; the event. Throws where it must have begun and has not. */
export function applyEvent(state: Subscription | undefined, event: SubscriptionEvent): Subscription {
  if (event.kind === 'started') return started(event);
  if (!state) throw new Error(`A subscription cannot begin with "${event.kind}".`);
  switch (event.kind) {
    case 'charge_begun':
      return { ...state, charge: { key: event.key, terms: event.terms }, attempts: event.attempt };
    case 'paid':
      return state;
    case 'renewed':
      return renewed(state, event);
    case 'unpaid':
      return {
        ...state,
        charge: null,
        billingIssueAt: state.billingIssueAt ?? event.at,
        unpaidReason: event.reason,
        graceEndsAt: event.graceEndsAt,
        nextAttemptAt: event.nextAttemptAt,
      };
    case 'charge_dropped':
      return { ...state, charge: null };
    case 'cancelled':
      return { ...state, unsubscribedAt: event.at };
    case 'resumed':
      return {
        ...state,
        unsubscribedAt: null,
        gatewaySubscription: event.gatewaySubscription ?? state.gatewaySubscription,
      };
    case 'plan_chosen':
      return { ...state, nextTerms: event.terms };
    case 'refunded':
      return event.endsIt
        ? { ...state, refundedAt: event.at, unsubscribedAt: state.unsubscribedAt ?? event.at }
        : state;
    case 'disputed':
      return {
        ...state,
        unsubscribedAt: state.unsubscribedAt ?? event.at,
        disputedAt: state.endedAt ? state.disputedAt : event.at,
      };
    case 'dispute_closed':
      return applyDisputeClosed(state, event);
    case 'expired':
      return { ...state, endedAt: event.at, charge: null, nextAttemptAt: null };
  }
}

/** Facts in their order as a subscription. Throws where they begin with none. */
export function reduceEvents(events: readonly SubscriptionEvent[], from?: Subscription): Subscription {
  const state = events.reduce<Subscription | undefined>(applyEvent, from);
  if (!state) throw new Error('A subscription begins with a event.');
  return state;
}
