import { rateLimits } from '@escucho/contracts';
import { getBearerToken, RateLimitError, sendRetryHeaders, toAppError } from '@escucho/service-kit';
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getCaller } from '../caller.ts';
import type { Database } from '../database.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import type { OAuthOptions } from '../options.ts';
import type { SessionService } from '../sessions/service.ts';
import { toJwks } from '../tokens/keys.ts';
import { listPublicKeys } from '../tokens/repository.ts';
import type { TokenService } from '../tokens/service.ts';
import { toUserInfo } from '../users/presenter.ts';
import { type OAuthClient, OAuthError, readParameter, supportedScopes } from './policy.ts';
import type { AuthorizationService } from './service.ts';

interface OAuthEndpointDeps {
  client: OAuthClient;
  authorizations: AuthorizationService;
  sessions: SessionService;
  tokens: TokenService;
}

type FormRequest = FastifyRequest<{ Body: unknown }>;

const MAX_BODY_BYTES = 64 * 1024;
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function readField(body: unknown, name: string): string {
  const value = readParameter(body, name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  if (value === null) {
    throw new OAuthError('invalid_request', `${name} is not one readable line.`);
  }
  return value;
}

function getAccessToken(request: FastifyRequest): string {
  const token = getBearerToken(request);
  if (token === undefined || !jwtPattern.test(token)) {
    throw new OAuthError('invalid_token', 'No access token was sent.');
  }
  return token;
}

function toOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  if (error instanceof CognitoError && error.status < 500) {
    const isTokenType = error.type === 'UnsupportedTokenTypeException';
    return new OAuthError(isTokenType ? 'unsupported_token_type' : 'invalid_grant', error.message);
  }
  return undefined;
}

function handleError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status } = toAppError(error);
  sendRetryHeaders(reply, toAppError(error));
  if (error instanceof RateLimitError) {
    // RFC 6749 has no code for this.
    return reply
      .status(429)
      .send({ error: 'temporarily_unavailable', error_description: 'Too many requests.' });
  }
  const oauthError = toOAuthError(error);
  if (oauthError) {
    const { code, message } = oauthError;
    const isUnauthorized = code === 'invalid_token';
    if (isUnauthorized) {
      reply.header('www-authenticate', `Bearer error="invalid_token", error_description="${message}"`);
    }
    return reply.status(isUnauthorized ? 401 : 400).send({ error: code, error_description: message });
  }
  if (status < 500) return reply.status(status).send({ error: 'invalid_request' });
  request.log.error({ err: error }, 'oauth endpoint failed');
  return reply.status(status).send({ error: status === 503 ? 'temporarily_unavailable' : 'server_error' });
}

/** Registers /oauth2/token, /oauth2/revoke and /oauth2/userInfo. They use no cookies, so any origin may call them. */
export async function registerOAuthEndpoints(app: FastifyInstance, deps: OAuthEndpointDeps): Promise<void> {
  const { client, authorizations, sessions, tokens } = deps;
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES });
  app.setErrorHandler(handleError);
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after, ratelimit, ratelimit-policy',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
  });

  function checkClient(body: unknown): void {
    if (readField(body, 'client_id') !== client.clientId) {
      throw new OAuthError('invalid_client', 'There is no such client.');
    }
  }

  const limited = { config: { rateLimits: rateLimits.tokens } };
  app.post('/oauth2/token', limited, async (request: FormRequest) => {
    const { body } = request;
    const grantType = readField(body, 'grant_type');
    checkClient(body);
    if (grantType === 'refresh_token') {
      const signIn = await sessions.refreshSession(readField(body, 'refresh_token'));
      return authorizations.createTokenResponse(signIn);
    }
    if (grantType !== 'authorization_code') {
      throw new OAuthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
    }
    const grant = {
      code: readField(body, 'code'),
      redirectUri: readField(body, 'redirect_uri'),
      codeVerifier: readField(body, 'code_verifier'),
    };
    return authorizations.exchangeCode(grant, getCaller(request));
  });

  app.post('/oauth2/revoke', limited, async (request: FormRequest, reply) => {
    const token = readField(request.body, 'token');
    checkClient(request.body);
    await sessions.revokeRefreshToken(token);
    return reply.status(200).send();
  });

  app.get('/oauth2/userInfo', { config: { rateLimits: rateLimits.identity } }, async (request) => {
    const token = getAccessToken(request);
    try {
      const claims = await tokens.verifyAccessToken(token, 'openid');
      return toUserInfo(await sessions.getTokenOwner(claims), claims.scope);
    } catch (error) {
      throw error instanceof CognitoError ? new OAuthError('invalid_token', error.message) : error;
    }
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
