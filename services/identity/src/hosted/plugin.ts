import type { FastifyInstance } from 'fastify';
import type { Secrets } from '../crypto.ts';
import type { Database, ProviderName } from '../database.ts';
import {
  createFacebookProvider,
  createOpenIdProvider,
  type IdentityProvider,
} from '../federation/providers.ts';
import { federationRepository } from '../federation/repository.ts';
import { createFederationService } from '../federation/service.ts';
import { createSimulatedProvider } from '../federation/simulator.ts';
import { authorizationCodeRepository } from '../oauth/repository.ts';
import { registerOAuthEndpoints } from '../oauth/routes.ts';
import { createAuthorizationService } from '../oauth/service.ts';
import type { OAuthOptions } from '../options.ts';
import type { ConcurrencyLimiter } from '../protocol/operation.ts';
import { hostedSessionRepository, sessionRepository } from '../sessions/repository.ts';
import type { SessionService } from '../sessions/service.ts';
import type { PasswordSignInService } from '../sign-in/password-service.ts';
import type { TokenService } from '../tokens/service.ts';
import type { UserRepository } from '../users/repository.ts';
import { createCookies } from './cookies.ts';
import { registerHostedPages } from './routes.ts';
import { createHostedSessionService } from './service.ts';

interface OAuthDeps {
  db: Database;
  clientId: string;
  secrets: Secrets;
  users: UserRepository;
  sessions: SessionService;
  signIn: PasswordSignInService;
  tokens: TokenService;
  limitConcurrency: ConcurrencyLimiter;
  clock: () => Date;
}

/** Creates the providers that have credentials, and simulates the others where that is enabled. */
function createProviders(
  { google, facebook, simulateProviders }: OAuthOptions,
  secrets: Secrets,
): Map<ProviderName, IdentityProvider> {
  const providers = new Map<ProviderName, IdentityProvider>();
  if (google) providers.set('google', createOpenIdProvider(google, google.issuer));
  else if (simulateProviders) providers.set('google', createSimulatedProvider(secrets, 'google'));
  if (facebook) providers.set('facebook', createFacebookProvider(facebook, facebook.endpoints));
  else if (simulateProviders) providers.set('facebook', createSimulatedProvider(secrets, 'facebook'));
  return providers;
}

/** Registers OAuth 2 and the hosted pages (IDP-02), which share their sessions with the JSON operations. */
export async function registerOAuth(
  app: FastifyInstance,
  options: OAuthOptions,
  deps: OAuthDeps,
): Promise<void> {
  const { db, secrets, users, sessions, tokens, clock } = deps;
  const client = {
    clientId: deps.clientId,
    redirectUris: options.redirectUris,
    logoutUris: options.logoutUris,
    implicit: options.implicit === true,
  };
  const hostedSessions = createHostedSessionService({ ...deps, hostedSessionRepository });
  const authorizations = createAuthorizationService({
    db,
    client,
    users,
    sessions,
    sessionRepository,
    codeRepository: authorizationCodeRepository,
    tokens,
    clock,
  });
  const federation = createFederationService({
    db,
    secrets,
    providers: createProviders(options, secrets),
    users,
    federationRepository,
    hostedSessions,
    authorizations,
    logError: (error, message) => app.log.warn({ err: error }, message),
    clock,
  });

  await app.register(async (pages) =>
    registerHostedPages(pages, {
      db,
      client,
      addresses: options.addresses,
      app: options.app ?? {},
      simulateProviders: options.simulateProviders === true,
      secrets,
      cookies: createCookies(options.addresses[0].startsWith('https:')),
      hostedSessions,
      authorizations,
      federation,
      limitConcurrency: deps.limitConcurrency,
    }),
  );
  await app.register(async (endpoints) =>
    registerOAuthEndpoints(endpoints, { client, secrets, authorizations, sessions, tokens }),
  );
}
