import type { CardSetup, StartedPurchase } from '../billing.ts';
import { PurchasesError, type PurchasesErrorCode } from '../errors.ts';

/** Why a purchase ends in the error screen (section 8). `detail`: a message that is more precise than the kind's. */
export interface PurchaseFailure {
  kind:
    | 'setting-up'
    | 'charging'
    | 'unknown'
    | 'network'
    | 'payment-provider'
    | 'missing-email'
    | 'already-subscribed';
  detail: string | null;
}

export const toPurchaseFailure = (
  kind: PurchaseFailure['kind'],
  detail: string | null = null,
): PurchaseFailure => ({ kind, detail });

/** The error code and the message (section 8) of each failure. */
const failureErrors: Readonly<Record<PurchaseFailure['kind'], readonly [PurchasesErrorCode, string]>> = {
  'setting-up': ['StoreProblemError', 'Purchase not started due to an error.'],
  charging: ['PaymentPendingError', 'Payment failed.'],
  unknown: ['UnknownError', 'An unknown error occurred.'],
  network: ['NetworkError', 'Network error. Please check your internet connection.'],
  'payment-provider': ['StoreProblemError', 'Payment failed.'],
  'missing-email': ['PurchaseInvalidError', 'Email is required to complete the purchase.'],
  'already-subscribed': ['ProductAlreadyPurchasedError', 'You are already subscribed to this product.'],
};

/** Converts a failure to the error that the purchase returns to its caller. */
export function toFailureError({ kind, detail }: PurchaseFailure): PurchasesError {
  const [code, message] = failureErrors[kind];
  return new PurchasesError(code, detail ?? message);
}

/**
 * The states of the purchase widget (section 4, BUY-02). `email`: the address that receipts are sent to; in
 * `needs-auth-info` the initial value of the form, null if none is known.
 */
export type PurchaseState =
  | { at: 'present-offer' }
  | { at: 'needs-auth-info'; email: string | null }
  | { at: 'processing-auth-info'; email: string }
  | { at: 'loading'; email: string }
  | { at: 'needs-payment-info'; email: string; session: string; card: CardSetup }
  | { at: 'polling-purchase-status'; email: string; session: string; card: CardSetup }
  | { at: 'success' }
  | { at: 'error'; failure: PurchaseFailure };

/**
 * The events. The user interface sends:
 *
 * - `email-submitted`: the form of `needs-auth-info` was submitted.
 * - `email-change-requested`: the user wants another address; returns from `needs-payment-info` to `needs-auth-info`.
 * - `card-confirmed`: the card's provider accepted the card.
 * - `failed`: the card's provider refused it.
 * - `continued`: the button of success and error was pressed.
 * - `closed`: Close, Escape or the cross was pressed.
 *
 * `runPurchase` sends `presented` (the offer is visible; `email`: the user's address if it is known), `started`,
 * `succeeded` and `failed`.
 */
export type PurchaseEvent =
  | { type: 'presented'; email: string | null }
  | { type: 'email-submitted'; email: string }
  | { type: 'email-change-requested' }
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
  | { type: 'finish'; error: PurchasesError | null };

interface PurchaseStep {
  state: PurchaseState;
  effects: readonly PurchaseEffect[];
}

export const initialPurchaseState: PurchaseState = { at: 'present-offer' };

const toStep = (state: PurchaseState, ...effects: PurchaseEffect[]): PurchaseStep => ({ state, effects });

function subscribe(at: 'loading' | 'processing-auth-info', input: string): PurchaseStep {
  const email = input.trim();
  if (email === '') return toStep({ at: 'error', failure: toPurchaseFailure('missing-email') });
  return toStep({ at, email }, { type: 'subscribe', email });
}

/** A known address that the provider refuses is asked for once; any other failure ends in the error screen. */
function handleFailure(state: PurchaseState, failure: PurchaseFailure): PurchaseStep {
  if (state.at === 'success' || state.at === 'error') return toStep(state);
  if (state.at === 'loading' && failure.kind === 'missing-email')
    return toStep({ at: 'needs-auth-info', email: state.email });
  return toStep({ at: 'error', failure });
}

/**
 * Finishes with the outcome; without one with `otherwise` (BUY-07). Does nothing while the status is polled, because the
 * card may have been charged.
 */
function finish(state: PurchaseState, otherwise: PurchasesError): PurchaseStep {
  if (state.at === 'polling-purchase-status') return toStep(state);
  if (state.at === 'success') return toStep(state, { type: 'finish', error: null });
  const error = state.at === 'error' ? toFailureError(state.failure) : otherwise;
  return toStep(state, { type: 'finish', error });
}

/**
 * Returns the next state of the purchase widget and its effects (section 4, BUY-02). With a known e-mail the purchase starts
 * at once; `needs-auth-info` is entered where none is known, the provider refuses it, or the user wants another. An event
 * that does not fit the state returns the same state object without effects.
 */
export function transition(state: PurchaseState, event: PurchaseEvent): PurchaseStep {
  switch (event.type) {
    case 'closed':
      return finish(state, new PurchasesError('UserCancelledError', 'Purchase was cancelled.'));
    case 'continued':
      return finish(state, new PurchasesError('UnknownError', 'Unknown error without state set.'));
    case 'failed':
      return handleFailure(state, event.failure);
    case 'presented':
      if (state.at !== 'present-offer') return toStep(state);
      return event.email === null
        ? toStep({ at: 'needs-auth-info', email: null })
        : subscribe('loading', event.email);
    case 'email-submitted':
      return state.at === 'needs-auth-info' ? subscribe('processing-auth-info', event.email) : toStep(state);
    case 'email-change-requested':
      return toStep(
        state.at === 'needs-payment-info' ? { at: 'needs-auth-info', email: state.email } : state,
      );
    case 'started': {
      if (state.at !== 'loading' && state.at !== 'processing-auth-info') return toStep(state);
      const { session, card } = event.purchase;
      const { email } = state;
      return toStep(card ? { at: 'needs-payment-info', email, session, card } : { at: 'success' });
    }
    case 'card-confirmed':
      if (state.at !== 'needs-payment-info') return toStep(state);
      return toStep({ ...state, at: 'polling-purchase-status' }, { type: 'poll', session: state.session });
    case 'succeeded':
      return toStep(state.at === 'polling-purchase-status' ? { at: 'success' } : state);
  }
}
