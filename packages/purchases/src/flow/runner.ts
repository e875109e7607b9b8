import type { Billing, Branding, Order } from '../billing.ts';
import { asPurchasesError, type PurchasesErrorCode } from '../errors.ts';
import { isTransient } from '../retry.ts';
import type { Clock } from '../transport.ts';
import { type PurchaseFailure, toOperationFailure, toPurchaseFailure, toStartFailure } from './failure.ts';
import {
  firstState,
  nextPurchase,
  type PurchaseEffect,
  type PurchaseEvent,
  type PurchaseState,
} from './machine.ts';

/** The maximum number of status requests and the pause between them in milliseconds (BUY-04). */
export const polling = { attempts: 10, pause: 1000 } as const;

export const tooManyAttempts = 'Max attempts reached trying to get successful purchase status';

/**
 * Polls the status of a purchase until it is settled (BUY-04). A network or server error counts as an attempt, because the
 * purchase may have succeeded. Returns the failure, or null on success. Rejects only with the signal's reason.
 */
async function pollPurchase(
  billing: Pick<Billing, 'operation'>,
  clock: Clock,
  session: string,
  signal?: AbortSignal,
): Promise<PurchaseFailure | null> {
  let last: PurchaseFailure = toPurchaseFailure('unknown', tooManyAttempts);
  for (let attempt = 1; attempt <= polling.attempts; attempt += 1) {
    try {
      const { status, errorCode } = await billing.operation(session, signal);
      if (status === 'succeeded') return null;
      if (status === 'failed') return toOperationFailure(errorCode);
      last = toPurchaseFailure('unknown', tooManyAttempts);
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = asPurchasesError(thrown);
      if (!isTransient(error)) return toPollFailure(error.code);
      last = toPurchaseFailure('network');
    }
    await clock.wait(polling.pause, signal);
  }
  return last;
}

const toPollFailure = (code: Parameters<typeof toStartFailure>[0]): PurchaseFailure =>
  code === 'ProductAlreadyPurchasedError' ? toStartFailure(code) : toPurchaseFailure('unknown');

/** How long the first form waits for the seller's name, in milliseconds. */
const BRANDING_TIMEOUT_MS = 2000;

export interface PurchaseDeps {
  billing: Billing;
  clock: Clock;
  /** What is bought. */
  order: Omit<Order, 'email'>;
  /** The e-mail for receipts, where it is known. */
  email: string | null;
  onState: (state: PurchaseState) => void;
  /** Called with the seller's name and icon, if they arrive. */
  onBranding: (branding: Branding) => void;
  /** Called once at the end: null on success, `UserCancelledError` when closed, else the error. */
  onFinish: (error: PurchasesErrorCode | null) => void;
}

/** A running purchase. */
export interface RunningPurchase {
  send: (event: PurchaseEvent) => void;
  stop: () => void;
}

/** Runs one purchase through the state machine. It finishes once; then, or when stopped, pending work is ignored. */
export function runPurchase(deps: PurchaseDeps): RunningPurchase {
  const { billing, clock, order } = deps;
  const over = new AbortController();
  const { signal } = over;
  let state = firstState;

  const subscribe = (email: string) =>
    billing.subscribe({ ...order, email }, signal).then(
      (purchase) => send({ type: 'started', purchase }),
      (thrown: unknown) => send({ type: 'failed', failure: toStartFailure(asPurchasesError(thrown).code) }),
    );

  const poll = (session: string) =>
    pollPurchase(billing, clock, session, signal).then(
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
        over.abort();
        deps.onFinish(effect.error);
        break;
    }
  }

  function send(event: PurchaseEvent): void {
    if (signal.aborted) return;
    const step = nextPurchase(state, event);
    const isOther = step.state !== state;
    state = step.state;
    if (isOther) deps.onState(state);
    step.effects.forEach(perform);
  }

  const branding = billing.branding(signal).then((found) => {
    if (!signal.aborted) deps.onBranding(found);
  });
  // The purchase works without the seller's name.
  Promise.race([branding, clock.wait(BRANDING_TIMEOUT_MS, signal)])
    .catch(() => undefined)
    .finally(() => send({ type: 'presented', email: deps.email }));

  return { send, stop: () => over.abort() };
}
