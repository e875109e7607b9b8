import { startJobWorker } from '@escucho/jobs';
import { createSmtpTransport, registerRateLimits } from '@escucho/service-kit';
import type { FastifyPluginAsync } from 'fastify';
import { createVerificationCodeService } from './codes/service.ts';
import { createSecrets, type Secrets } from './crypto.ts';
import { openIdentityDatabase, type ProviderName } from './database.ts';
import type { PoolDeps } from './deps.ts';
import type { IdentityProvider } from './federation/providers.ts';
import { createFederationService } from './federation/service.ts';
import { createSimulatedProvider } from './federation/simulator.ts';
import { createCookies } from './hosted/http.ts';
import { registerHostedPages } from './hosted/routes.ts';
import { createHostedSessionService } from './hosted/service.ts';
import { cleanupSchedule, createCleanupHandler, createQueueMailer, createSendMailHandler } from './jobs.ts';
import { createOutboxMailer, jobQueue } from './mail/repository.ts';
import { createNotifier } from './mail/templates.ts';
import { createMfaChallengeService } from './mfa/challenge-service.ts';
import { createMfaService } from './mfa/service.ts';
import { registerDiscovery, registerOAuthEndpoints } from './oauth/routes.ts';
import { createAuthorizationService } from './oauth/service.ts';
import { checkIssuer, getPoolName, type IdentityOptions, type OAuthOptions } from './options.ts';
import { createPasskeyService } from './passkeys/service.ts';
import { createMfaOperations, createPasskeyOperations } from './protocol/factor-operations.ts';
import { createIdentityPoolOperations } from './protocol/identity-pool.ts';
import { createConcurrencyLimiter, type Operation } from './protocol/operation.ts';
import { registerEnvelope, registerOperations } from './protocol/routes.ts';
import { createSessionOperations } from './protocol/session-operations.ts';
import {
  createAccountOperations,
  createAdminOperations,
  createSignUpOperations,
} from './protocol/user-operations.ts';
import { registerSessions } from './sessions/routes.ts';
import { createSessionService } from './sessions/service.ts';
import { createChallengeSessions } from './sign-in/challenge-session.ts';
import { createPasswordSignInService } from './sign-in/password-service.ts';
import { createKeyring, createPublicKeyResolver } from './tokens/keys.ts';
import { createTokenService } from './tokens/service.ts';
import { createAccountService, createOwnerLookup } from './users/account-service.ts';
import { createUserRepository } from './users/repository.ts';
import { createUserService } from './users/service.ts';

const MAX_CONCURRENT_SIGN_INS = 200;

/**
 * The identity provider: Cognito's JSON operations for one user pool and one client, the pool's keys and discovery
 * document, OAuth 2 and the hosted pages. The database must be migrated. Any number of processes may serve one pool.
 */
export const identity: FastifyPluginAsync<IdentityOptions> = async (app, options) => {
  const { connection, issuer, poolId, clientId, identityPoolId, adminKey, deleteUserData } = options;
  const { oauth, clock = () => new Date() } = options;
  const poolName = getPoolName(poolId);
  checkIssuer(issuer, poolId);
  const secrets = createSecrets(options.secret, poolId);
  const db = openIdentityDatabase(connection, 'escucho identity');
  app.addHook('onClose', () => db.destroy());
  registerRateLimits(app, { connection, schema: 'identity', secret: options.secret });
  const { rateLimiter } = app;

  const users = createUserRepository(secrets);
  const mailer = options.smtp ? createQueueMailer(secrets) : createOutboxMailer(secrets);
  const shared: PoolDeps = {
    db,
    secrets,
    poolName,
    clientId,
    users,
    rateLimiter,
    notifyOwner: createNotifier({ mailer, clock }),
    challengeSessions: createChallengeSessions({ secrets, clock }),
    codes: createVerificationCodeService({ secrets, mailer, rateLimiter, clock }),
    clock,
  };
  const sessions = createSessionService(shared);
  const signIn = createPasswordSignInService(shared);
  const mfa = createMfaService(shared);
  const mfaChallenges = createMfaChallengeService({ ...shared, sessions, mfa });
  const { passkeys: relyingParty } = options;
  const passkeys = relyingParty && createPasskeyService({ ...shared, relyingParty });
  const keyring = createKeyring(db, secrets, clock);
  await Promise.all([keyring('access'), keyring('id')]);
  const tokens = createTokenService({
    issuer,
    clientId,
    keyring,
    publicKey: createPublicKeyResolver(connection),
    clock,
  });
  const limitConcurrency = createConcurrencyLimiter(MAX_CONCURRENT_SIGN_INS);
  const account = createAccountService({ ...shared, sessions, signIn });
  const getOwner = createOwnerLookup({ sessions, tokens, clock });
  const userPoolOperations = {
    ...createSignUpOperations({ clientId, users: createUserService(shared), limitConcurrency }),
    ...createSessionOperations({
      ...shared,
      getOwner,
      passwordAuth: options.passwordAuth === true,
      customAuth: options.customAuth === true,
      sessions,
      signIn,
      tokens,
      mfa,
      mfaChallenges,
      passkeys,
      limitConcurrency,
    }),
    ...createAccountOperations({ getOwner, account, limitConcurrency, deleteUserData }),
    ...createMfaOperations({ getOwner, mfa }),
    ...(relyingParty && passkeys && createPasskeyOperations({ getOwner, passkeys, relyingParty })),
    ...(adminKey !== undefined && createAdminOperations({ db, poolId, adminKey, users })),
  };
  const identityPoolOperations =
    identityPoolId === undefined
      ? {}
      : createIdentityPoolOperations({ secrets, issuer, identityPoolId, tokens, clock });
  const operations = new Map([
    ...toTargets('AWSCognitoIdentityProviderService', userPoolOperations),
    ...toTargets('AWSCognitoIdentityService', identityPoolOperations),
  ]);

  await app.register(async (protocol) => {
    registerEnvelope(protocol);
    registerOperations(protocol, operations);
    registerDiscovery(protocol, { db, poolId, issuer, oauth });
  });
  await app.register(async (api) => registerSessions(api, { sessions, getOwner }));
  if (oauth) {
    const { redirectUris, logoutUris, implicit = false, simulateProviders = false } = oauth;
    const client = { clientId, redirectUris, logoutUris, implicit };
    const oauthDeps = { ...shared, client, sessions, tokens, passkeys };
    const authorizations = createAuthorizationService(oauthDeps);
    const hostedSessions = createHostedSessionService({
      ...oauthDeps,
      authorizations,
      signIn,
      mfaChallenges,
    });
    const federation = createFederationService({
      ...oauthDeps,
      providers: await createProviders(oauth, secrets),
      hostedSessions,
      logError: (error, message) => app.log.warn({ err: error }, message),
    });
    await app.register(async (pages) =>
      registerHostedPages(pages, {
        ...oauthDeps,
        addresses: oauth.addresses,
        app: oauth.app,
        simulateProviders,
        cookies: createCookies(oauth.addresses[0].startsWith('https:'), secrets),
        hostedSessions,
        federation,
        limitConcurrency,
      }),
    );
    await app.register(async (endpoints) =>
      registerOAuthEndpoints(endpoints, { ...oauthDeps, authorizations }),
    );
  }

  const { jobs } = options;
  if (!jobs) return;
  const handlers = [createCleanupHandler(db, clock)];
  if (options.smtp) {
    const transport = await createSmtpTransport(options.smtp);
    app.addHook('onClose', async () => transport.close());
    handlers.push(createSendMailHandler({ secrets, transport, log: app.log, clock }));
  }
  const worker = await startJobWorker({
    registry: app.metricsRegistry,
    queue: jobQueue,
    connections: jobs,
    handlers,
    schedule: cleanupSchedule,
    log: app.log,
  });
  // Fastify runs onClose hooks in reverse order: this one before the transport and the database are closed.
  app.addHook('onClose', () => worker.stop());
};

/** Returns the operations of a service by their `X-Amz-Target`. */
const toTargets = (service: string, operations: Record<string, Operation>) =>
  Object.entries(operations).map(([name, operation]) => [`${service}.${name}`, operation] as const);

/** Creates the providers that have credentials, and simulates the others where that is enabled. */
async function createProviders(
  { google, facebook, simulateProviders }: OAuthOptions,
  secrets: Secrets,
): Promise<Map<ProviderName, IdentityProvider>> {
  const providers = new Map<ProviderName, IdentityProvider>();
  const loadProviders = () => import('./federation/providers.ts');
  if (google) providers.set('google', (await loadProviders()).createOpenIdProvider(google, google.issuer));
  else if (simulateProviders) providers.set('google', createSimulatedProvider(secrets, 'google'));
  if (facebook)
    providers.set('facebook', (await loadProviders()).createFacebookProvider(facebook, facebook.endpoints));
  else if (simulateProviders) providers.set('facebook', createSimulatedProvider(secrets, 'facebook'));
  return providers;
}
