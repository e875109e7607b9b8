import type { Billing } from '../billing.ts';
import type { Clock } from '../clock.ts';
import { asPurchasesError } from '../errors.ts';
import { isPassing } from '../retry.ts';
import { faultOfOperation, faultOfStart, type PurchaseFailure, toPurchaseFailure } from './failure.ts';

/** How often a purchase's status is asked for at most, and how long is waited in between, in milliseconds (BUY-04). */
export const polling = { attempts: 10, pause: 1000 } as const;

export const tooManyAttempts = 'Max attempts reached trying to get successful purchase status';

/**
 * Asks for a purchase's status until it is settled (BUY-04): at most 10 times, a second apart, while it is `started` or
 * `in_progress`. A time without an answer, or with one of a server in trouble, counts as one of the ten: the purchase may
 * be through already. Out: the fault, or null when it succeeded. Rejects only with the signal's reason.
 */
export async function pollPurchase(
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
      if (status === 'failed') return faultOfOperation(errorCode);
      last = toPurchaseFailure('unknown', tooManyAttempts);
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = asPurchasesError(thrown);
      if (!isPassing(error)) return faultOfPoll(error.code);
      last = toPurchaseFailure('network');
    }
    await clock.wait(polling.pause, signal);
  }
  return last;
}

const faultOfPoll = (code: Parameters<typeof faultOfStart>[0]): PurchaseFailure =>
  code === 'ProductAlreadyPurchasedError' ? faultOfStart(code) : toPurchaseFailure('unknown');
