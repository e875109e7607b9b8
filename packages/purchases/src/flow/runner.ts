import type { Billing, Branding, Order } from '../billing.ts';
import { isTransient, type PurchasesError, toPurchasesError } from '../errors.ts';
import type { Clock } from '../transport.ts';
import {
  initialPurchaseState,
  type PurchaseEffect,
  type PurchaseEvent,
  type PurchaseFailure,
  type PurchaseState,
  toPurchaseFailure,
  transition,
} from './machine.ts';

/** The limits of polling the status of a purchase (BUY-04). */
export const MAX_POLL_ATTEMPTS = 10;
export const POLL_INTERVAL_MS = 1000;

/** The `detail` of the failure when no poll brought a result (section 8). */
export const MAX_ATTEMPTS_MESSAGE = 'Max attempts reached trying to get successful purchase status';

/** How long the first screen waits for the seller's name. */
const BRANDING_TIMEOUT_MS = 2000;

/** The provider's code for an e-mail address that is missing or invalid. */
const INVALID_EMAIL_CODE = 7012;

/** Converts the error of starting a purchase. */
export function toStartFailure({ code, backendCode }: PurchasesError): PurchaseFailure {
  if (backendCode === INVALID_EMAIL_CODE) return toPurchaseFailure('missing-email');
  if (code === 'ProductAlreadyPurchasedError') return toPurchaseFailure('already-subscribed');
  return toPurchaseFailure(code === 'NetworkError' ? 'network' : 'setting-up');
}

/** Converts the provider's code of a failed operation: set-up (1, 2), charge (3) or unknown. */
export function toOperationFailure(errorCode: number | null): PurchaseFailure {
  if (errorCode === 1 || errorCode === 2) return toPurchaseFailure('setting-up');
  return toPurchaseFailure(errorCode === 3 ? 'charging' : 'unknown');
}

/**
 * Polls the status of a purchase until it is settled (BUY-04). A network or server error counts as an attempt, because the
 * purchase may have succeeded. Returns the failure, or null on success. Rejects only with the signal's reason.
 */
async function pollPurchase(
  { billing, clock }: Pick<PurchaseDeps, 'billing' | 'clock'>,
  session: string,
  signal: AbortSignal,
): Promise<PurchaseFailure | null> {
  for (let attempt = 1; attempt <= MAX_POLL_ATTEMPTS; attempt += 1) {
    try {
      const { status, errorCode } = await billing.operation(session, signal);
      if (status === 'succeeded') return null;
      if (status === 'failed') return toOperationFailure(errorCode);
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toPurchasesError(thrown);
      if (error.code === 'ProductAlreadyPurchasedError') return toPurchaseFailure('already-subscribed');
      if (!isTransient(error)) return toPurchaseFailure('unknown');
    }
    await clock.wait(POLL_INTERVAL_MS, signal);
  }
  return toPurchaseFailure('unknown', MAX_ATTEMPTS_MESSAGE);
}

interface PurchaseDeps {
  billing: Billing;
  clock: Clock;
  /** The package and the option to buy. */
  order: Omit<Order, 'email'>;
  /** The e-mail for receipts, if it is known: then the purchase starts without asking for it. */
  email: string | null;
  onState: (state: PurchaseState) => void;
  /** Called with the seller's name and icon, if they arrive. */
  onBranding: (branding: Branding) => void;
  /** Called once at the end: null on success, `UserCancelledError` when closed, else the error. */
  onFinish: (error: PurchasesError | null) => void;
}

/**
 * Runs one purchase through the state machine. It finishes once; then, or when stopped, pending work is ignored. Without a
 * product id it ends in the error screen.
 */
export function runPurchase(deps: PurchaseDeps) {
  const { billing, clock, order } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  let state = initialPurchaseState;

  const subscribe = (email: string) =>
    billing.subscribe({ ...order, email }, signal).then(
      (purchase) => send({ type: 'started', purchase }),
      (thrown: unknown) => send({ type: 'failed', failure: toStartFailure(toPurchasesError(thrown)) }),
    );

  const poll = (session: string) =>
    pollPurchase(deps, session, signal).then(
      (failure) => send(failure ? { type: 'failed', failure } : { type: 'succeeded' }),
      () => send({ type: 'failed', failure: toPurchaseFailure('unknown') }),
    );

  function perform(effect: PurchaseEffect): void {
    switch (effect.type) {
      case 'subscribe':
        void subscribe(effect.email);
        break;
      case 'poll':
        void poll(effect.session);
        break;
      case 'finish':
        controller.abort();
        deps.onFinish(effect.error);
        break;
    }
  }

  function send(event: PurchaseEvent): void {
    if (signal.aborted) return;
    const step = transition(state, event);
    const hasChanged = step.state !== state;
    state = step.state;
    if (hasChanged) deps.onState(state);
    step.effects.forEach(perform);
  }

  function start(): void {
    const missing = toPurchaseFailure('setting-up', 'Product ID was not set before purchase.');
    if (!order.pack.product.identifier) send({ type: 'failed', failure: missing });
    else send({ type: 'presented', email: deps.email });
  }

  const branding = billing.branding(signal).then((response) => {
    if (!signal.aborted) deps.onBranding(response);
  });
  // The purchase works without the seller's name.
  Promise.race([branding, clock.wait(BRANDING_TIMEOUT_MS, signal)])
    .catch(() => undefined)
    .finally(start);

  return { send, stop: () => controller.abort() };
}

export type RunningPurchase = ReturnType<typeof runPurchase>;
