import { type RateLimit, type RateLimitName, rateLimits } from '@escucho/contracts';
import { RateLimitError, sendRetryHeaders, toAppError, toRoutingError } from '@escucho/service-kit';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getCaller } from '../caller.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import { createWrongCodeLimiter } from '../rate-limits/caller-limits.ts';
import { getValueAt, type Operation } from './operation.ts';

const MEDIA_TYPE = 'application/x-amz-json-1.1';
const MAX_BODY_BYTES = 256 * 1024;

const allowedRequestHeaders = [
  'content-type',
  'x-amz-target',
  'x-amz-user-agent',
  'cache-control',
  'authorization',
  'amz-sdk-invocation-id',
  'amz-sdk-request',
];
/** Headers that AWS's SDKs send; new versions add more. */
const sdkHeaderPattern = /^(?:x-amz|amz-sdk)-[a-z0-9-]{1,60}$/;
const exposedHeaders = [
  'x-amzn-errortype',
  'x-amzn-errormessage',
  'x-amzn-requestid',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
];

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

const getOperation = ({ headers }: FastifyRequest) => String(headers['x-amz-target']).split('.').at(-1) ?? '';

/** Returns the rate limits of a request for a JSON operation. */
function getRateLimits(request: FastifyRequest): readonly RateLimit[] {
  const operation = getOperation(request);
  // Sent by the installation's other servers, which prove themselves by a key.
  if (operation === 'AdminDeleteUser') return [];
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
function toLimitError({ quota }: RateLimitError): CognitoError {
  return requestLimits.includes(quota.limit)
    ? cognitoErrors.tooManyRequests()
    : cognitoErrors.limitExceeded();
}

/** Challenges that a code answers. */
const codeChallenges: readonly unknown[] = ['CUSTOM_CHALLENGE', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'];

/**
 * Returns how wrong codes are limited where a request redeems a code, or answers a challenge that may be one. A passkey
 * cannot be guessed, and the same challenge again means that the answer was wrong.
 */
function getCodeAttempt(request: FastifyRequest) {
  const operation = getOperation(request);
  const challenge = getValueAt(request.body, ['ChallengeName']);
  if (operation !== 'RespondToAuthChallenge')
    return operationLimits.get(operation) === 'codes' ? {} : undefined;
  if (challenge === 'PASSWORD_VERIFIER') return undefined;
  return {
    isGuessable: codeChallenges.includes(challenge),
    isWrong: (response: object) => getValueAt(response, ['ChallengeName']) === challenge,
  };
}

const errorByStatus: Record<number, () => CognitoError> = {
  400: cognitoErrors.malformedBody,
  401: cognitoErrors.accessTokenRevoked,
  404: cognitoErrors.notFound,
  413: cognitoErrors.bodyTooLarge,
  415: cognitoErrors.unsupportedMediaType,
};

function toCognitoError(error: Error | FastifyError): CognitoError {
  if (error instanceof CognitoError) return error;
  if (error instanceof RateLimitError) return toLimitError(error);
  const { status } = toAppError(error);
  if (status === 503) return cognitoErrors.unavailable();
  if (status >= 500) return cognitoErrors.internal();
  return (errorByStatus[status] ?? cognitoErrors.malformedBody)();
}

function sendError({ type, message, status }: CognitoError, reply: FastifyReply): FastifyReply {
  return (
    reply
      .status(status)
      .header('x-amzn-errortype', `${type}:`)
      // Header values are limited to printable ASCII.
      .header('x-amzn-errormessage', message.replace(/[^ -~]/g, '?'))
      .type(MEDIA_TYPE)
      .serializer(JSON.stringify)
      .send({ __type: type, message })
  );
}

function toAllowedHeaders(requested = ''): string {
  const sdkHeaders = requested
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => sdkHeaderPattern.test(name));
  return [...new Set([...allowedRequestHeaders, ...sdkHeaders])].join(', ');
}

/** Registers CORS for any origin, and the protocol's form of errors. */
export function registerEnvelope(app: FastifyInstance): void {
  app.addHook('onRequest', async (request: FastifyRequest, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposedHeaders.join(', '),
      'x-amzn-requestid': request.id,
    });
  });
  for (const path of ['/', '/*']) {
    app.options(path, (request, reply) =>
      reply
        .status(204)
        .headers({
          'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
          'access-control-allow-headers': toAllowedHeaders(request.headers['access-control-request-headers']),
          vary: 'access-control-request-headers',
          'access-control-max-age': '86400',
        })
        .send(),
    );
  }
  app.setErrorHandler<FastifyError | CognitoError>((error, request, reply) => {
    sendRetryHeaders(reply, toAppError(error));
    const cognitoError = toCognitoError(error);
    if (cognitoError.status >= 500) request.log.error({ err: error }, 'identity operation failed');
    return sendError(cognitoError, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    const isKnownPath = toRoutingError(request, reply).code === 'method_not_allowed';
    return sendError(isKnownPath ? cognitoErrors.methodNotAllowed() : cognitoErrors.notFound(), reply);
  });
}

/**
 * Registers the endpoint of the JSON operations.
 * @param operations the operations by `X-Amz-Target`: service, dot, operation
 */
export function registerOperations(app: FastifyInstance, operations: ReadonlyMap<string, Operation>): void {
  const limitWrongCodes = createWrongCodeLimiter(app.rateLimiter);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [MEDIA_TYPE, 'application/json'],
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    async (_request: unknown, body: string): Promise<unknown> => {
      try {
        return JSON.parse(body);
      } catch {
        throw cognitoErrors.malformedBody();
      }
    },
  );
  app.post('/', { config: { rateLimits: getRateLimits } }, async (request, reply) => {
    const operation = operations.get(String(request.headers['x-amz-target']));
    if (!operation) throw cognitoErrors.unknownOperation();
    const getMetadata = (name: string) => getValueAt(request.body, ['ClientMetadata', name]);
    const metadata = { language: getMetadata('language'), signUpKey: getMetadata('signUpKey') };
    const caller = getCaller(request, metadata);
    const perform = () => operation(request.body, caller);
    const attempt = getCodeAttempt(request);
    const response = attempt ? await limitWrongCodes(caller, perform, attempt) : await perform();
    return reply
      .header('cache-control', 'no-store')
      .type(MEDIA_TYPE)
      .serializer(JSON.stringify)
      .send(response);
  });
}
