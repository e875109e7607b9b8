import type { Billing, Branding, Order } from '../billing.ts';
import type { Clock } from '../clock.ts';
import { asPurchasesError, type PurchasesErrorCode } from '../errors.ts';
import { faultOfStart, toPurchaseFailure } from './failure.ts';
import {
  firstState,
  nextPurchase,
  type PurchaseEffect,
  type PurchaseEvent,
  type PurchaseState,
} from './machine.ts';
import { pollPurchase } from './poll.ts';

/** The first form waits so long at most for the seller's name, in milliseconds. */
const brandingPatience = 2000;

/** What a purchase is run with. */
export interface PurchaseDeps {
  billing: Billing;
  clock: Clock;
  /** What is bought. */
  order: Omit<Order, 'email'>;
  /** The e-mail for receipts, where it is known. */
  email: string | null;
  onState: (state: PurchaseState) => void;
  /** The seller's name and icon have come. Without them the widget does without. */
  onBranding: (branding: Branding) => void;
  /** The reader is done with it: null when it was bought, UserCancelledError when they closed it, else why it failed. */
  onFinish: (error: PurchasesErrorCode | null) => void;
}

/** A purchase under way: tell it what the reader did, or drop it. */
export interface RunningPurchase {
  happened: (event: PurchaseEvent) => void;
  stop: () => void;
}

/**
 * Runs one purchase through the machine. It finishes once; after that, or once stopped, what is still under way is given up
 * and heard no more.
 */
export function runPurchase(wires: PurchaseDeps): RunningPurchase {
  const { billing, clock, order } = wires;
  const over = new AbortController();
  const { signal } = over;
  let state = firstState;

  const subscribe = (email: string) =>
    billing.subscribe({ ...order, email }, signal).then(
      (purchase) => happened({ type: 'started', purchase }),
      (thrown: unknown) => happened({ type: 'failed', fault: faultOfStart(asPurchasesError(thrown).code) }),
    );

  const poll = (session: string) =>
    pollPurchase(billing, clock, session, signal).then(
      (fault) => happened(fault ? { type: 'failed', fault } : { type: 'succeeded' }),
      () => happened({ type: 'failed', fault: toPurchaseFailure('unknown') }),
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
        wires.onFinish(effect.error);
        break;
    }
  }

  function happened(event: PurchaseEvent): void {
    if (signal.aborted) return;
    const step = nextPurchase(state, event);
    const isOther = step.state !== state;
    state = step.state;
    if (isOther) wires.onState(state);
    step.effects.forEach(perform);
  }

  const branding = billing.branding(signal).then((found) => {
    if (!signal.aborted) wires.onBranding(found);
  });
  // A seller whose name does not come can still sell.
  Promise.race([branding, clock.wait(brandingPatience, signal)])
    .catch(() => undefined)
    .finally(() => happened({ type: 'presented', email: wires.email }));

  return { happened, stop: () => over.abort() };
}
