import type { Fact, Subscription } from './facts.ts';

function started(fact: Extract<Fact, { kind: 'started' }>): Subscription {
  return {
    terms: fact.terms,
    nextTerms: null,
    store: fact.store,
    isSandbox: fact.isSandbox,
    gatewaySubscription: fact.gatewaySubscription ?? null,
    periodType: fact.periodType,
    startedAt: fact.at,
    purchasedAt: fact.at,
    expiresAt: fact.endsAt,
    anchorAt: fact.at,
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

function renewed(state: Subscription, fact: Extract<Fact, { kind: 'renewed' }>): Subscription {
  return {
    ...state,
    terms: fact.terms,
    nextTerms: state.nextTerms?.product === fact.terms.product ? null : state.nextTerms,
    periodType: 'normal',
    purchasedAt: fact.startsAt,
    expiresAt: fact.endsAt,
    anchorAt: fact.anchorAt,
    count: fact.count,
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
function disputeClosed(state: Subscription, fact: Extract<Fact, { kind: 'dispute_closed' }>): Subscription {
  const { outcome, endsAt } = fact;
  if (!endsAt) return { ...state, disputedAt: outcome === 'lost' ? null : state.disputedAt };
  return { ...state, expiresAt: endsAt, anchorAt: endsAt, count: 0, disputedAt: null, endedAt: null };
}

/** A subscription one fact later. In: what it was, if it was; the fact. Throws where it must have begun and has not. */
export function applied(state: Subscription | undefined, fact: Fact): Subscription {
  if (fact.kind === 'started') return started(fact);
  if (!state) throw new Error(`A subscription cannot begin with "${fact.kind}".`);
  switch (fact.kind) {
    case 'charge_begun':
      return { ...state, charge: { key: fact.key, terms: fact.terms }, attempts: fact.attempt };
    case 'paid':
      return state;
    case 'renewed':
      return renewed(state, fact);
    case 'unpaid':
      return {
        ...state,
        charge: null,
        billingIssueAt: state.billingIssueAt ?? fact.at,
        unpaidReason: fact.reason,
        graceEndsAt: fact.graceEndsAt,
        nextAttemptAt: fact.nextAttemptAt,
      };
    case 'charge_dropped':
      return { ...state, charge: null };
    case 'cancelled':
      return { ...state, unsubscribedAt: fact.at };
    case 'resumed':
      return {
        ...state,
        unsubscribedAt: null,
        gatewaySubscription: fact.gatewaySubscription ?? state.gatewaySubscription,
      };
    case 'plan_chosen':
      return { ...state, nextTerms: fact.terms };
    case 'refunded':
      return fact.endsIt
        ? { ...state, refundedAt: fact.at, unsubscribedAt: state.unsubscribedAt ?? fact.at }
        : state;
    case 'disputed':
      return {
        ...state,
        unsubscribedAt: state.unsubscribedAt ?? fact.at,
        disputedAt: state.endedAt ? state.disputedAt : fact.at,
      };
    case 'dispute_closed':
      return disputeClosed(state, fact);
    case 'expired':
      return { ...state, endedAt: fact.at, charge: null, nextAttemptAt: null };
  }
}

/** Facts in their order as a subscription. Throws where they begin with none. */
export function stateOf(facts: readonly Fact[], from?: Subscription): Subscription {
  const state = facts.reduce<Subscription | undefined>(applied, from);
  if (!state) throw new Error('A subscription begins with a fact.');
  return state;
}
