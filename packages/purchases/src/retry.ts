import { asPurchasesError, type PurchasesError } from './errors.ts';

/** How often a call is tried again, and how long is waited before the first, second … of these tries, in milliseconds. */
export interface RetryRule {
  retries: number;
  delay: (attempt: number) => number;
}

/** SUB-03: offerings are asked for three more times, after 3, 6 and 9 seconds. */
export const offeringsRetry: RetryRule = { retries: 3, delay: (attempt) => attempt * 3000 };

/** SUB-03: customer info likewise, after 5, 10 and 15 seconds. */
export const customerInfoRetry: RetryRule = { retries: 3, delay: (attempt) => attempt * 5000 };

/** SUB-03: how long customer info is good for, in milliseconds. */
export const customerInfoAge = 30 * 60_000;

/** Whether a later try can end better: nothing came back, or a server in trouble; a refusal stays one. */
export const isPassing = ({ code }: PurchasesError): boolean =>
  code === 'NetworkError' || code === 'UnknownBackendError';

/** Whether to try again. In: the rule, how many tries have failed, counted from 1, and how the last one did. */
export const isWorthRetry = (rule: RetryRule, failures: number, thrown: unknown): boolean =>
  failures <= rule.retries && isPassing(asPurchasesError(thrown));
