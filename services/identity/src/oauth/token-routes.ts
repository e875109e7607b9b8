import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../caller.ts';
import { Fault } from '../faults.ts';
import type { Secrets } from '../secrets.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { OAuthFault } from './faults.ts';
import { many, type OAuthClient, parameter } from './policy.ts';
import { userInfo } from './presenter.ts';
import type { Authorizations } from './service.ts';

interface Ports {
  client: OAuthClient;
  secrets: Secrets;
  authorizations: Authorizations;
  sessions: Sessions;
  tokens: Tokens;
}

type FormRequest = FastifyRequest<{ Body: unknown }>;

function field(body: unknown, name: string): string {
  const value = parameter(body, name);
  if (value === undefined) throw new OAuthFault('invalid_request', `${name} is missing.`);
  if (value === many) throw new OAuthFault('invalid_request', `${name} is not one readable line.`);
  return value;
}

/** An access token of an Authorization header. */
function bearerOf(request: FastifyRequest): string {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new OAuthFault('invalid_token', 'No access token was sent.');
  return token;
}

/** A refusal of the JSON operations in OAuth's terms. */
function oauthFaultOf(error: unknown): OAuthFault | undefined {
  if (error instanceof OAuthFault) return error;
  if (error instanceof Fault && error.status < 500) {
    const kind = error.type === 'UnsupportedTokenTypeException' ? 'unsupported_token_type' : 'invalid_grant';
    return new OAuthFault(kind, error.message);
  }
  return undefined;
}

function refuse(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = oauthFaultOf(error);
  if (fault) {
    const unauthorized = fault.error === 'invalid_token';
    if (unauthorized) {
      reply.header('www-authenticate', `Bearer error="invalid_token", error_description="${fault.message}"`);
    }
    return reply
      .status(unauthorized ? 401 : 400)
      .send({ error: fault.error, error_description: fault.message });
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return reply.status(status).send({ error: 'invalid_request' });
  request.log.error({ err: error }, 'oauth endpoint failed');
  return reply.status(500).send({ error: 'server_error' });
}

/** The endpoints that apps call: /oauth2/token, /oauth2/revoke, /oauth2/userInfo. Any origin may read them: no cookie is looked at. */
export async function registerTokenEndpoints(app: FastifyInstance, ports: Ports): Promise<void> {
  const { client, secrets, authorizations, sessions, tokens } = ports;
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: 64 * 1024 });
  app.setErrorHandler(refuse);
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store', pragma: 'no-cache' });
  });

  function checkClient(body: unknown): void {
    if (field(body, 'client_id') !== client.clientId) {
      throw new OAuthFault('invalid_client', 'There is no such client.');
    }
  }

  app.post('/oauth2/token', async (request: FormRequest) => {
    const { body } = request;
    const grantType = field(body, 'grant_type');
    checkClient(body);
    if (grantType === 'refresh_token') {
      return authorizations.tokensOf(await sessions.refresh(field(body, 'refresh_token')));
    }
    if (grantType !== 'authorization_code') {
      throw new OAuthFault('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
    }
    const redemption = {
      code: field(body, 'code'),
      redirectUri: field(body, 'redirect_uri'),
      verifier: field(body, 'code_verifier'),
    };
    return authorizations.redeem(redemption, callerOf(request, secrets, undefined).agent);
  });

  app.post('/oauth2/revoke', async (request: FormRequest, reply) => {
    const token = field(request.body, 'token');
    checkClient(request.body);
    await sessions.revoke(token);
    return reply.status(200).send();
  });

  app.get('/oauth2/userInfo', async (request) => {
    const token = bearerOf(request);
    try {
      const claims = await tokens.readAccessToken(token, 'openid');
      return userInfo(await sessions.ownerOf(claims), claims.scope);
    } catch (error) {
      throw error instanceof Fault ? new OAuthFault('invalid_token', error.message) : error;
    }
  });
}
