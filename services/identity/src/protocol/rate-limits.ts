import { type RateLimit, type RateLimitName, rateLimits } from '@escucho/contracts';
import type { RateLimitError } from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';
import { type CognitoError, cognitoErrors } from '../errors.ts';

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

/** Returns the rate limits of a request for a JSON operation. */
export function getRateLimits({ headers }: FastifyRequest): readonly RateLimit[] {
  const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
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
