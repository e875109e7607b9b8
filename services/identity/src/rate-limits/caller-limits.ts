import { type RateLimit, rateLimits } from '@escucho/contracts';
import type { RateLimiter } from '@escucho/service-kit';
import type { Caller } from '../caller.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';

type CallerNetwork = Pick<Caller, 'network'>;

const getSubject = ({ by }: RateLimit, { network }: CallerNetwork) =>
  by === 'network' ? network : 'everybody';

/**
 * Counts an attempt towards the limits of the caller's network and of everybody, in the order of the list.
 * @throws RateLimitError
 */
export async function consumeLimits(
  rateLimiter: RateLimiter,
  limits: readonly RateLimit[],
  caller: CallerNetwork,
): Promise<void> {
  for (const limit of limits) await rateLimiter.consume(limit, getSubject(limit, caller));
}

/**
 * Checks the limits of the caller's network and of everybody, without counting.
 * @throws RateLimitError
 */
export async function checkLimits(
  rateLimiter: RateLimiter,
  limits: readonly RateLimit[],
  caller: CallerNetwork,
): Promise<void> {
  for (const limit of limits) await rateLimiter.check(limit, getSubject(limit, caller));
}

const codeErrors = ['CodeMismatchException', 'ExpiredCodeException'];
const otherErrors = [cognitoErrors.wrongPassword().message, cognitoErrors.passkeyInvalid().message];

/** Returns whether an error means that a code was wrong, or what a challenge asked for instead of one. */
const isWrongCode = (error: unknown): boolean =>
  error instanceof CognitoError && (codeErrors.includes(error.type) || otherErrors.includes(error.message));

/**
 * Creates the function that performs an attempt to redeem a code within the limits of wrong codes: of a network, and of
 * everybody, which bounds what an attacker with many networks can guess.
 */
export function createWrongCodeLimiter(rateLimiter: RateLimiter) {
  const { wrongCode } = rateLimits;

  /**
   * Performs an attempt.
   * @param isWrong whether a result, which is no error, means that the code was wrong
   * @throws RateLimitError where the limits are used up, also for a correct code
   */
  return async function limitWrongCodes<T>(
    caller: CallerNetwork,
    attempt: () => Promise<T>,
    isWrong: (result: T) => boolean = () => false,
  ): Promise<T> {
    await checkLimits(rateLimiter, wrongCode, caller);
    const result = await attempt().catch(async (error: unknown) => {
      if (isWrongCode(error)) await consumeLimits(rateLimiter, wrongCode, caller);
      throw error;
    });
    if (isWrong(result)) await consumeLimits(rateLimiter, wrongCode, caller);
    return result;
  };
}
