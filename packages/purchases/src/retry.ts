import { asPurchasesError, type PurchasesError } from './errors.ts';

/** How often a call is retried, and how many milliseconds to wait before each retry, counted from 1. */
export interface RetryRule {
  retries: number;
  delay: (attempt: number) => number;
}

/** SUB-03: offerings are retried three times, after 3, 6 and 9 seconds. */
export const offeringsRetry: RetryRule = { retries: 3, delay: (attempt) => attempt * 3000 };

/** SUB-03: customer info likewise, after 5, 10 and 15 seconds. */
export const customerInfoRetry: RetryRule = { retries: 3, delay: (attempt) => attempt * 5000 };

/** SUB-03: how long customer info is fresh, in milliseconds. */
export const customerInfoAge = 30 * 60_000;

/** Whether a retry can succeed: after a network or server error, not after a refusal. */
export const isTransient = ({ code }: PurchasesError): boolean =>
  code === 'NetworkError' || code === 'UnknownBackendError';

/** Whether to retry. `failures`: how many attempts have failed; `thrown`: the last error. */
export const isWorthRetry = (rule: RetryRule, failures: number, thrown: unknown): boolean =>
  failures <= rule.retries && isTransient(asPurchasesError(thrown));
