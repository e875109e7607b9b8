import type { FastifyInstance } from 'fastify';
import type { Database, ProviderName } from '../database.ts';
import { facebookUpstream, openidUpstream } from '../federation/openid.ts';
import { federationRepository } from '../federation/repository.ts';
import { createFederation } from '../federation/service.ts';
import { standInUpstream } from '../federation/stand-in.ts';
import type { Upstream } from '../federation/upstream.ts';
import { authorizationRepository } from '../oauth/repository.ts';
import { createAuthorizations } from '../oauth/service.ts';
import { registerTokenEndpoints } from '../oauth/token-routes.ts';
import type { OAuthOptions } from '../options.ts';
import type { Gate } from '../protocol/gate.ts';
import type { Secrets } from '../secrets.ts';
import { sessionRepository } from '../sessions/repository.ts';
import type { Sessions } from '../sessions/service.ts';
import type { PasswordSignIn } from '../srp/service.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { UserRepository } from '../users/repository.ts';
import { createCookies } from './cookies.ts';
import { hostedRepository } from './repository.ts';
import { registerHostedPages } from './routes.ts';
import { createHosted } from './service.ts';

interface Ports {
  db: Database;
  clientId: string;
  secrets: Secrets;
  users: UserRepository;
  sessions: Sessions;
  signIn: PasswordSignIn;
  tokens: Tokens;
  gate: Gate;
  clock: () => Date;
}

/** The providers that people may come by: with keys the real one, without, where that is wanted, a stand-in. */
function upstreamsOf(options: OAuthOptions, secrets: Secrets): Map<ProviderName, Upstream> {
  const { google, facebook } = options;
  const upstreams = new Map<ProviderName, Upstream>();
  if (google) upstreams.set('google', openidUpstream(google, google.issuer));
  else if (options.standIns) upstreams.set('google', standInUpstream(secrets, 'google'));
  if (facebook) upstreams.set('facebook', facebookUpstream(facebook, facebook.addresses));
  else if (options.standIns) upstreams.set('facebook', standInUpstream(secrets, 'facebook'));
  return upstreams;
}

/** OAuth 2 and the hosted pages (IDP-02), beside the JSON operations and over the same sessions. */
export async function registerOAuth(
  app: FastifyInstance,
  options: OAuthOptions,
  ports: Ports,
): Promise<void> {
  const { db, secrets, users, sessions, tokens, clock } = ports;
  const client = {
    clientId: ports.clientId,
    signIn: options.signIn,
    signOut: options.signOut,
    implicit: options.implicit === true,
  };
  const hosted = createHosted({ ...ports, hosted: hostedRepository });
  const authorizations = createAuthorizations({
    ...{ db, client, users, sessions, tokens, clock },
    sessionRows: sessionRepository,
    authorizations: authorizationRepository,
  });
  const federation = createFederation({
    ...{ db, secrets, users, hosted, authorizations, clock },
    upstreams: upstreamsOf(options, secrets),
    federation: federationRepository,
    report: (error, message) => app.log.warn({ err: error }, message),
  });
  const secure = options.addresses[0].startsWith('https:');

  await app.register(async (pages) =>
    registerHostedPages(pages, {
      ...{ db, client, secrets, hosted, authorizations, federation, gate: ports.gate },
      addresses: options.addresses,
      app: options.app ?? {},
      standIns: options.standIns === true,
      cookies: createCookies(secure),
    }),
  );
  await app.register(async (endpoints) =>
    registerTokenEndpoints(endpoints, { client, secrets, authorizations, sessions, tokens }),
  );
}
