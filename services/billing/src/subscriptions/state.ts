import type { Subscription, SubscriptionEvent } from './events.ts';

function start(event: Extract<SubscriptionEvent, { kind: 'started' }>): Subscription {
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

function renew(state: Subscription, event: Extract<SubscriptionEvent, { kind: 'renewed' }>): Subscription {
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
    // A refund concerns an earlier period.
    refundedAt: null,
    endedAt: null,
  };
}

/** A won dispute reopens the period that was paid for; it does not renew unless the owner resumes it. */
function closeDispute(
  state: Subscription,
  event: Extract<SubscriptionEvent, { kind: 'dispute_closed' }>,
): Subscription {
  const { outcome, endsAt } = event;
  if (!endsAt) return { ...state, disputedAt: outcome === 'lost' ? null : state.disputedAt };
  return { ...state, expiresAt: endsAt, anchorAt: endsAt, count: 0, disputedAt: null, endedAt: null };
}

/** Applies one event. Throws where the first event is not `started`. */
export function applyEvent(state: Subscription | undefined, event: SubscriptionEvent): Subscription {
  if (event.kind === 'started') return start(event);
  if (!state) throw new Error(`A subscription cannot begin with "${event.kind}".`);
  switch (event.kind) {
    case 'charge_begun':
      return { ...state, charge: { key: event.key, terms: event.terms }, attempts: event.attempt };
    case 'paid':
      return state;
    case 'renewed':
      return renew(state, event);
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
      return closeDispute(state, event);
    case 'expired':
      return { ...state, endedAt: event.at, charge: null, nextAttemptAt: null };
  }
}

/** Reduces events in order to the state of a subscription. Throws where there are none. */
export function reduceEvents(events: readonly SubscriptionEvent[], from?: Subscription): Subscription {
  const state = events.reduce<Subscription | undefined>(applyEvent, from);
  if (!state) throw new Error('A subscription has at least one event.');
  return state;
}
