import { RateLimitError, sendRetryHeaders, toAppError, toRoutingError } from '@escucho/service-kit';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getCaller } from '../caller.ts';
import type { Database } from '../database.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import { supportedScopes } from '../oauth/policy.ts';
import type { OAuthOptions } from '../options.ts';
import { createWrongCodeLimiter } from '../rate-limits/caller-limits.ts';
import { toJwks } from '../tokens/keys.ts';
import { listPublicKeys } from '../tokens/repository.ts';
import { getValueAt, type Operation } from './operation.ts';
import { getRateLimits, isCodeAttempt, isGuessable, isSameChallenge, toLimitError } from './rate-limits.ts';

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

const errorByStatus: Record<number, () => CognitoError> = {
  400: cognitoErrors.malformedBody,
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
    .split(/\s*,\s*/)
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
    const response = isCodeAttempt(request)
      ? await limitWrongCodes(caller, perform, {
          isGuessable: isGuessable(request),
          isWrong: (result) => isSameChallenge(request, result),
        })
      : await perform();
    return reply
      .header('cache-control', 'no-store')
      .type(MEDIA_TYPE)
      .serializer(JSON.stringify)
      .send(response);
  });
}

interface DiscoveryDeps {
  db: Database;
  poolId: string;
  issuer: string;
  oauth: OAuthOptions | undefined;
}

function createOAuthMetadata({ addresses: [address], implicit }: OAuthOptions) {
  return {
    authorization_endpoint: `${address}/oauth2/authorize`,
    token_endpoint: `${address}/oauth2/token`,
    userinfo_endpoint: `${address}/oauth2/userInfo`,
    revocation_endpoint: `${address}/oauth2/revoke`,
    end_session_endpoint: `${address}/logout`,
    response_types_supported: implicit ? ['code', 'token'] : ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', ...(implicit ? ['implicit'] : [])],
    scopes_supported: supportedScopes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    claims_supported: ['sub', 'email', 'email_verified', 'given_name', 'family_name', 'phone_number'],
  };
}

/** Registers the JWKS and the discovery document (OpenID Connect Discovery). */
export function registerDiscovery(app: FastifyInstance, { db, poolId, issuer, oauth }: DiscoveryDeps): void {
  const metadata = {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    ...(oauth && createOAuthMetadata(oauth)),
  };
  const documents = new Map<string, () => Promise<object>>([
    ['jwks.json', async () => toJwks(await listPublicKeys(db))],
    ['openid-configuration', async () => metadata],
  ]);
  app.get<{ Params: { poolId: string; document: string } }>(
    '/:poolId/.well-known/:document',
    async (request, reply) => {
      const getDocument = documents.get(request.params.document);
      if (!getDocument) throw cognitoErrors.notFound();
      if (request.params.poolId !== poolId) throw cognitoErrors.poolPathNotFound();
      return reply
        .header('cache-control', 'public, max-age=300')
        .type('application/json')
        .serializer(JSON.stringify)
        .send(await getDocument());
    },
  );
}
