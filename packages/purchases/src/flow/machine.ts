import type { CardSetup, StartedPurchase } from '../billing.ts';
import type { PurchasesErrorCode } from '../errors.ts';
import { errorCodeByFailure, type PurchaseFailure, toPurchaseFailure } from './failure.ts';

/** The eight states of the purchase widget (section 4, BUY-02). */
export type PurchaseState =
  | { at: 'present-offer' }
  | { at: 'needs-auth-info' }
  | { at: 'processing-auth-info' }
  | { at: 'loading' }
  | { at: 'needs-payment-info'; session: string; card: CardSetup }
  | { at: 'polling-purchase-status'; session: string; card: CardSetup }
  | { at: 'success' }
  | { at: 'error'; failure: PurchaseFailure };

/**
 * The events. `presented`: the offer is visible, with the user's e-mail where it is known; `started` and `failed` result from
 * the start of the purchase; `card-confirmed`: the card's provider accepted it; `continued`: the button of success and
 * error; `closed`: Close, Escape or the cross.
 */
export type PurchaseEvent =
  | { type: 'presented'; email: string | null }
  | { type: 'email-given'; email: string }
  | { type: 'started'; purchase: StartedPurchase }
  | { type: 'card-confirmed' }
  | { type: 'succeeded' }
  | { type: 'failed'; failure: PurchaseFailure }
  | { type: 'continued' }
  | { type: 'closed' };

/** The effects. `finish` returns to the caller: null on success, else the error. */
export type PurchaseEffect =
  | { type: 'subscribe'; email: string }
  | { type: 'poll'; session: string }
  | { type: 'finish'; error: PurchasesErrorCode | null };

export interface PurchaseStep {
  state: PurchaseState;
  effects: readonly PurchaseEffect[];
}

export const firstState: PurchaseState = { at: 'present-offer' };

const stay = (state: PurchaseState): PurchaseStep => ({ state, effects: [] });
const fail = (failure: PurchaseFailure): PurchaseStep => stay({ at: 'error', failure });
const finish = (state: PurchaseState, error: PurchasesErrorCode | null): PurchaseStep => ({
  state,
  effects: [{ type: 'finish', error }],
});

function begin(at: 'loading' | 'processing-auth-info', given: string): PurchaseStep {
  const email = given.trim();
  if (email === '') return fail(toPurchaseFailure('missing-email'));
  return { state: { at }, effects: [{ type: 'subscribe', email }] };
}

const started = ({ session, card }: StartedPurchase): PurchaseStep =>
  stay(card ? { at: 'needs-payment-info', session, card } : { at: 'success' });

const isWorking = ({ at }: PurchaseState) => at !== 'success' && at !== 'error';

function presentOffer(state: PurchaseState, event: PurchaseEvent): PurchaseStep {
  if (event.type !== 'presented') return stay(state);
  return event.email === null ? stay({ at: 'needs-auth-info' }) : begin('loading', event.email);
}

/** Close cancels (BUY-07), except while the status is polled: the card may have been charged. */
function closed(state: PurchaseState): PurchaseStep {
  switch (state.at) {
    case 'polling-purchase-status':
      return stay(state);
    case 'success':
    case 'error':
      return ended(state);
    default:
      return finish(state, 'UserCancelledError');
  }
}

function ended(state: PurchaseState): PurchaseStep {
  if (state.at === 'success') return finish(state, null);
  return state.at === 'error' ? finish(state, errorCodeByFailure[state.failure.kind]) : stay(state);
}

/**
 * Returns the next state of the purchase widget and its effects (section 4, BUY-02). An event that does not fit the state
 * returns the same state object without effects.
 */
export function nextPurchase(state: PurchaseState, event: PurchaseEvent): PurchaseStep {
  if (event.type === 'closed') return closed(state);
  if (event.type === 'continued') return ended(state);
  if (event.type === 'failed') return isWorking(state) ? fail(event.failure) : stay(state);
  switch (state.at) {
    case 'present-offer':
      return presentOffer(state, event);
    case 'needs-auth-info':
      return event.type === 'email-given' ? begin('processing-auth-info', event.email) : stay(state);
    case 'processing-auth-info':
    case 'loading':
      return event.type === 'started' ? started(event.purchase) : stay(state);
    case 'needs-payment-info': {
      const { session, card } = state;
      if (event.type !== 'card-confirmed') return stay(state);
      return {
        state: { at: 'polling-purchase-status', session, card },
        effects: [{ type: 'poll', session }],
      };
    }
    case 'polling-purchase-status':
      return stay(event.type === 'succeeded' ? { at: 'success' } : state);
    default:
      return stay(state);
  }
}
