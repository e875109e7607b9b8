import { api } from '@escucho/contracts';
import {
  type Billing,
  type Clock,
  createBilling,
  MAX_POLL_ATTEMPTS,
  POLL_INTERVAL_MS,
  PurchasesError,
} from '@escucho/purchases';
import { ApiError, call } from '#shared/api/client.ts';
import { loadConfig } from '#shared/config.ts';

/** The browser's clock. */
export const clock: Clock = {
  now: Date.now,
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(resolve, milliseconds);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/** @throws PurchasesError */
async function requestPurchaseToken(signal?: AbortSignal): Promise<string | null> {
  try {
    return (await call(api.subscription.createPurchaseToken, {}, signal && { signal })).token;
  } catch (cause) {
    signal?.throwIfAborted();
    const isNetworkError = cause instanceof ApiError && cause.code === 'network';
    const code = isNetworkError ? 'NetworkError' : 'UnknownBackendError';
    throw new PurchasesError(code, 'The portal gave no purchase token.', { cause });
  }
}

/**
 * Opens the billing provider for a user (SUB-02); null where billing is not configured.
 *
 * @throws {ApiError | PurchasesError}
 */
export async function openBilling(userId: string): Promise<Billing | null> {
  const { billing } = await loadConfig();
  if (!billing) return null;
  const fetch = window.fetch.bind(window);
  return createBilling({
    ...billing,
    userId,
    requestPurchaseToken,
    fetch,
    clock,
    warn: (message) => console.warn(message),
  });
}

/** Returns whether a publishable key is Stripe's; otherwise cards belong to the embedded sandbox (BUY-06). */
export const isStripeKey = (publishableKey: string): boolean => /^pk_(test|live)_/.test(publishableKey);

/**
 * Polls the portal until a purchase has activated the subscription, with the limits of the purchase's own polling.
 *
 * @param refresh asks the portal whether the subscription is active
 * @returns whether it is active in the end
 */
export async function waitUntilActive(refresh: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; attempt < MAX_POLL_ATTEMPTS; attempt += 1) {
    if (await refresh()) return true;
    await clock.wait(POLL_INTERVAL_MS);
  }
  return refresh();
}
