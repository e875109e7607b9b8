import type { FastifyInstance } from 'fastify';
import { callerOf } from '../caller.ts';
import type { Database } from '../database.ts';
import { faults } from '../faults.ts';
import { scopes } from '../oauth/policy.ts';
import type { OAuthOptions } from '../options.ts';
import type { Secrets } from '../secrets.ts';
import { keySet } from '../tokens/keys.ts';
import { listPublicKeys } from '../tokens/repository.ts';
import { mediaType } from './envelope.ts';
import type { Operation } from './operation.ts';
import { valueAt } from './validation.ts';

/** The one address of the JSON operations; the operation is named in a header, with its service before a dot. */
export function registerOperations(
  app: FastifyInstance,
  operations: ReadonlyMap<string, Operation>,
  secrets: Secrets,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [mediaType, 'application/json'],
    { parseAs: 'string', bodyLimit: 256 * 1024 },
    async (_request: unknown, body: string): Promise<unknown> => {
      try {
        return JSON.parse(body);
      } catch {
        throw faults.unreadable();
      }
    },
  );
  app.post('/', async (request, reply) => {
    const named = request.headers['x-amz-target'];
    const operation = operations.get(String(named));
    if (!operation) throw faults.operationUnknown();
    const language = valueAt(request.body, ['ClientMetadata', 'language']);
    const answer = await operation(request.body, callerOf(request, secrets, language));
    return reply.header('cache-control', 'no-store').type(mediaType).serializer(JSON.stringify).send(answer);
  });
}

interface Discovery {
  db: Database;
  poolId: string;
  issuer: string;
  oauth: OAuthOptions | undefined;
}

/** The part of the discovery document that is there with the hosted pages. */
function oauthDiscovery({ addresses: [address], implicit }: OAuthOptions) {
  return {
    authorization_endpoint: `${address}/oauth2/authorize`,
    token_endpoint: `${address}/oauth2/token`,
    userinfo_endpoint: `${address}/oauth2/userInfo`,
    revocation_endpoint: `${address}/oauth2/revoke`,
    end_session_endpoint: `${address}/logout`,
    response_types_supported: implicit ? ['code', 'token'] : ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', ...(implicit ? ['implicit'] : [])],
    scopes_supported: scopes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    claims_supported: ['sub', 'email', 'email_verified', 'given_name', 'family_name', 'phone_number'],
  };
}

/** What other services need to check tokens by themselves, and apps to find their way. */
export function registerDiscovery(app: FastifyInstance, { db, poolId, issuer, oauth }: Discovery): void {
  const discovery = {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    ...(oauth && oauthDiscovery(oauth)),
  };
  const documents = new Map<string, () => Promise<object>>([
    ['jwks.json', async () => keySet(await listPublicKeys(db))],
    ['openid-configuration', async () => discovery],
  ]);
  app.get<{ Params: { poolId: string; document: string } }>(
    '/:poolId/.well-known/:document',
    async (request, reply) => {
      const document = documents.get(request.params.document);
      if (!document) throw faults.pageUnknown();
      if (request.params.poolId !== poolId) throw faults.poolUnknown();
      return reply
        .header('cache-control', 'public, max-age=300')
        .type('application/json')
        .serializer(JSON.stringify)
        .send(await document());
    },
  );
}
