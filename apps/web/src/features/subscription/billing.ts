import { type Billing, type Clock, createBilling } from '@escucho/purchases';
import { loadConfig } from '#shared/config.ts';

/** Time as the browser has it. */
export const clock: Clock = {
  now: Date.now,
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds);
      const given = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      if (signal?.aborted) given();
      else signal?.addEventListener('abort', given, { once: true });
    }),
};

/** The billing provider for a reader (SUB-02); null where nothing is sold. Rejects with ApiError or PurchasesError. */
export async function openBilling(userId: string): Promise<Billing | null> {
  const { billing } = await loadConfig();
  if (!billing) return null;
  const fetch = window.fetch.bind(window);
  return createBilling({ ...billing, userId, fetch, clock, warn: (message) => console.warn(message) });
}
