import { type RateLimit, rateLimits } from '@escucho/contracts';
import { RateLimitError, type RateLimiter } from '@escucho/service-kit';
import type { Caller } from '../caller.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';

type CallerNetwork = Pick<Caller, 'network'>;

const everybody = 'everybody';

/**
 * Checks a limit of everybody, without counting.
 * @throws RateLimitError
 */
export async function checkTotal(rateLimiter: RateLimiter, limit: RateLimit): Promise<void> {
  await rateLimiter.check(limit, everybody);
}

/**
 * Counts an attempt towards a limit of everybody, and never refuses it: only attempts about existing accounts count, so
 * that a refusal here would tell them from others.
 */
export async function countTowardsTotal(rateLimiter: RateLimiter, limit: RateLimit): Promise<void> {
  try {
    await rateLimiter.consume(limit, everybody);
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
  }
}

/** Counts a wrong guess of a code that exists towards the limit of everybody. */
export const countGuess = (rateLimiter: RateLimiter): Promise<void> =>
  countTowardsTotal(rateLimiter, rateLimits.wrongCode[1]);

const codeErrors = ['CodeMismatchException', 'ExpiredCodeException'];
const otherErrors = [cognitoErrors.wrongPassword().message, cognitoErrors.passkeyInvalid().message];

/** Returns whether an error means that a code was wrong, or what a challenge asked for instead of one. */
const isWrongCode = (error: unknown): boolean =>
  error instanceof CognitoError && (codeErrors.includes(error.type) || otherErrors.includes(error.message));

/**
 * Creates the function that performs an attempt to redeem a code within the limits of wrong codes: of a network, and of
 * everybody, which bounds what an attacker with many networks can guess. The services that compare codes count towards
 * the latter by `countGuess`.
 */
export function createWrongCodeLimiter(rateLimiter: RateLimiter) {
  const [networkLimit, totalLimit] = rateLimits.wrongCode;

  /**
   * Performs an attempt. Where the limit of everybody is used up, only networks are refused that have sent a wrong code.
   * @param options.isWrong whether a result, which is no error, means that the code was wrong
   * @param options.isGuessable whether the limit of everybody applies; false for passkeys, which cannot be guessed
   * @throws RateLimitError where a limit is used up, also for a correct code
   */
  return async function limitWrongCodes<T>(
    { network }: CallerNetwork,
    attempt: () => Promise<T>,
    { isWrong, isGuessable = true }: { isWrong?: (result: T) => boolean; isGuessable?: boolean } = {},
  ): Promise<T> {
    const quota = await rateLimiter.check(networkLimit, network);
    const hasWrongCode = quota !== undefined && quota.remaining < networkLimit.limit;
    if (isGuessable && hasWrongCode) await checkTotal(rateLimiter, totalLimit);
    const result = await attempt().catch(async (error: unknown) => {
      if (isWrongCode(error)) await rateLimiter.consume(networkLimit, network);
      throw error;
    });
    if (isWrong?.(result)) await rateLimiter.consume(networkLimit, network);
    return result;
  };
}
