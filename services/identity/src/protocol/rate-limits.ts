import { type RateLimit, type RateLimitName, rateLimits } from '@escucho/contracts';
import type { RateLimitError, RateLimiter } from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import { getValueAt } from './operation.ts';

/** The rate limits of operations by network; `identity` applies to all others. */
const operationLimits = new Map<string, RateLimitName>([
  ['InitiateAuth', 'signIn'],
  ['RespondToAuthChallenge', 'signIn'],
  ['SignUp', 'signUp'],
  ['ConfirmSignUp', 'codes'],
  ['ResendConfirmationCode', 'codes'],
  ['ForgotPassword', 'codes'],
  ['ConfirmForgotPassword', 'codes'],
  ['GetUserAttributeVerificationCode', 'codes'],
  ['VerifyUserAttribute', 'codes'],
  ['GetTokensFromRefreshToken', 'tokens'],
]);

/** Operations of the installation's other servers, which prove themselves by a key. */
const serverOperations = ['AdminDeleteUser'];

const getOperation = ({ headers }: FastifyRequest) => String(headers['x-amz-target']).split('.').at(-1) ?? '';

/** Returns the rate limits of a request for a JSON operation. */
export function getRateLimits(request: FastifyRequest): readonly RateLimit[] {
  const operation = getOperation(request);
  if (serverOperations.includes(operation)) return [];
  return rateLimits[operationLimits.get(operation) ?? 'identity'];
}

/** Limits of requests, where Cognito responds TooManyRequestsException; it limits attempts by LimitExceededException. */
const requestLimits: readonly RateLimit[] = [
  ...rateLimits.signIn,
  ...rateLimits.signUp,
  ...rateLimits.codes,
  ...rateLimits.tokens,
  ...rateLimits.identity,
  ...rateLimits.wrongPassword,
];

/** Converts a refusal to the error of the protocol, which Amplify repeats twice on its own. */
export function toLimitError({ quota }: RateLimitError): CognitoError {
  return requestLimits.includes(quota.limit)
    ? cognitoErrors.tooManyRequests()
    : cognitoErrors.limitExceeded();
}

const codeErrors = ['CodeMismatchException', 'ExpiredCodeException'];

/** Returns whether a request redeems a code, or answers a challenge that may be one. */
function isCodeAttempt(request: FastifyRequest): boolean {
  const operation = getOperation(request);
  if (operation !== 'RespondToAuthChallenge') return operationLimits.get(operation) === 'codes';
  return getValueAt(request.body, ['ChallengeName']) !== 'PASSWORD_VERIFIER';
}

/** Returns whether the result of an attempt says that the code was wrong: an error, or the same challenge again. */
function isWrongCode(request: FastifyRequest, result: unknown): boolean {
  if (result instanceof CognitoError) {
    return codeErrors.includes(result.type) || result.message === cognitoErrors.wrongPassword().message;
  }
  const challenge = getValueAt(result, ['ChallengeName']);
  return challenge !== undefined && challenge === getValueAt(request.body, ['ChallengeName']);
}

/**
 * Creates the function that runs an operation within the limits of wrong codes: of a network, and of everybody, which
 * bounds what an attacker with many networks can guess.
 */
export function createWrongCodeLimiter(rateLimiter: RateLimiter) {
  const getSubject = ({ by }: RateLimit, { network }: Caller) => (by === 'network' ? network : 'everybody');

  return async (
    request: FastifyRequest,
    caller: Caller,
    operation: () => Promise<object>,
  ): Promise<object> => {
    if (!isCodeAttempt(request)) return operation();
    for (const limit of rateLimits.wrongCode) await rateLimiter.check(limit, getSubject(limit, caller));
    const result = await operation().catch((error: unknown) => {
      if (error instanceof CognitoError) return error;
      throw error;
    });
    if (isWrongCode(request, result)) {
      for (const limit of rateLimits.wrongCode) await rateLimiter.consume(limit, getSubject(limit, caller));
    }
    if (result instanceof CognitoError) throw result;
    return result;
  };
}
