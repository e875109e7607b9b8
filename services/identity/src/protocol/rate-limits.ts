import { type RateLimit, type RateLimitName, rateLimits } from '@escucho/contracts';
import type { RateLimitError } from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';
import { type CognitoError, cognitoErrors } from '../errors.ts';
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

/** Returns whether a request redeems a code, or answers a challenge that may be one. */
export function isCodeAttempt(request: FastifyRequest): boolean {
  const operation = getOperation(request);
  if (operation !== 'RespondToAuthChallenge') return operationLimits.get(operation) === 'codes';
  return getValueAt(request.body, ['ChallengeName']) !== 'PASSWORD_VERIFIER';
}

/** Challenges that a code answers. */
const codeChallenges: readonly unknown[] = ['CUSTOM_CHALLENGE', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'];

/** Returns whether what a request redeems can be guessed, as a passkey cannot. */
export const isGuessable = (request: FastifyRequest): boolean =>
  getOperation(request) !== 'RespondToAuthChallenge' ||
  codeChallenges.includes(getValueAt(request.body, ['ChallengeName']));

/** Returns whether the response to an answer is the same challenge again: the answer was wrong. */
export function isSameChallenge({ body }: FastifyRequest, response: object): boolean {
  const challenge = getValueAt(response, ['ChallengeName']);
  return challenge !== undefined && challenge === getValueAt(body, ['ChallengeName']);
}
