import { billing, openEmailOutbox } from '@escucho/billing';
import type { Connection } from '@escucho/database';
import {
  createPublicKeyResolver,
  createSessionReader,
  identity,
  type OAuthOptions,
  outbox,
} from '@escucho/identity';
import { operators } from '@escucho/operators';
import { type MediaStore, media, portal } from '@escucho/portal';
import {
  createApp,
  createSmtpTransport,
  loggerOptions,
  registerMetrics,
  registerOpenApi,
} from '@escucho/service-kit';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import { createRemoteJWKSet } from 'jose';
import { type Probes, registerHealth } from './health.ts';
import type { Instance } from './instance.ts';
import { deriveSimulatorKeys, hasSimulator, toOperatorOptions } from './operators.ts';
import {
  getIdentityProvider,
  getOrigins,
  getPasskeyDomain,
  hasOutbox,
  hasSandbox,
  toIdentityPoolId,
  toPublicConfig,
  toRedirectUris,
} from './public-config.ts';
import { readOfferings } from './settings/billing.ts';
import type { Settings } from './settings.ts';
import { registerWeb } from './web.ts';

/** Path prefixes of services, under which the web app serves nothing. */
const reservedPrefixes = [
  '/api',
  '/identity',
  '/billing',
  '/operators',
  '/outbox',
  '/media',
  '/health',
  '/metrics',
  '/config.json',
];

/** The dependencies of the product's app. */
export interface AppDeps {
  settings: Settings;
  instance: Instance;
  connection: Connection;
  mediaStore: MediaStore;
  webDirectory: string;
  probes: Probes;
}

const injectMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/**
 * Returns a `fetch` that sends requests to the services of this process by their public URLs without the network, because
 * a proxy may be in between.
 */
function createInjectFetch(app: FastifyInstance) {
  return async (url: string, { method, headers, body }: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const request: InjectOptions = {
      url: pathname + search,
      method: injectMethods.find((known) => known === method) ?? 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { payload: body }),
    };
    const response = await app.inject(request);
    return new Response(response.body, { status: response.statusCode });
  };
}

/** Returns how the portal reaches the billing provider, external or embedded. */
function getBillingOptions(
  app: FastifyInstance,
  { externalBilling, publicUrl }: Settings,
  { billing }: Instance,
) {
  if (externalBilling) return externalBilling;
  const { secretKey, webhookSecret: eventSecret } = billing;
  return { endpoint: `${publicUrl}/billing`, secretKey, eventSecret, send: createInjectFetch(app) };
}

/** Returns how the portal reaches the identity provider, external or embedded. */
function getIdentityOptions(app: FastifyInstance, settings: Settings, instance: Instance) {
  if (settings.externalIdentity) return { listsSessions: false, adminKey: settings.identityAdminKey };
  return { listsSessions: true, adminKey: instance.identityAdminKey, send: createInjectFetch(app) };
}

async function registerPortal(
  app: FastifyInstance,
  { settings, instance, connection, mediaStore }: AppDeps,
): Promise<void> {
  const { endpoint, userPoolId, issuer, clientId, jwksUri } = getIdentityProvider(settings, instance);
  // The embedded provider is not called over HTTP: this process does not listen yet.
  const keys = settings.externalIdentity
    ? createRemoteJWKSet(new URL(jwksUri))
    : createPublicKeyResolver({ connection });
  // Tokens of an external provider are accepted until they expire: it cannot be asked for the state of a session.
  const sessions = settings.externalIdentity ? undefined : createSessionReader({ connection });
  if (sessions) app.addHook('onClose', () => sessions.close());
  const secret = instance.mediaSecret;
  const baseUrl = settings.followHost ? '/media' : `${settings.publicUrl}/media`;
  await app.register(
    async (api) => {
      await registerOpenApi(api, { title: 'Escucho', version: '0.1.0' });
      await api.register(portal, {
        connection,
        tokens: { issuer, clientId, keys, ...(sessions && { isSessionActive: sessions.isSessionActive }) },
        media: { secret, baseUrl, audioLifetimeSeconds: settings.audioLinkSeconds },
        provider: { endpoint, userPoolId, ...getIdentityOptions(app, settings, instance) },
        operators: toOperatorOptions(settings, instance),
        billing: getBillingOptions(app, settings, instance),
        acceptsSandbox: hasSandbox(settings),
        auditRetentionDays: settings.auditRetentionDays,
      });
    },
    { prefix: '/api' },
  );
  await app.register(media, { prefix: '/media', store: mediaStore, secret });
}

/** The pages of the identity provider share the origins of the web app. */
function getOAuthOptions(settings: Settings): OAuthOptions {
  const origins = getOrigins(settings);
  const [own, ...others] = origins;
  const { google, facebook, allowedFeatures } = settings.embeddedIdentity;
  return {
    addresses: [`${own}/identity`, ...others.map((origin) => `${origin}/identity`)],
    ...toRedirectUris(origins),
    implicit: allowedFeatures.includes('implicit'),
    app: { signUp: '/auth/sign-up', forgotPassword: '/auth/forgot-password' },
    ...(google && { google }),
    ...(facebook && { facebook }),
    simulateProviders: settings.demo,
  };
}

/** Passkeys belong to the domain of PUBLIC_URL; an IP address has none. */
function toPasskeyOptions(settings: Settings) {
  const id = getPasskeyDomain(settings);
  if (id === undefined) return {};
  const origins = getOrigins(settings).filter((origin) => new URL(origin).hostname === id);
  return { passkeys: { id, name: 'Escucho', origins } };
}

/** Registers the outbox page with the mail of all services. */
async function registerOutbox(
  app: FastifyInstance,
  { settings, instance, connection }: AppDeps,
): Promise<void> {
  const { list, close } = openEmailOutbox({ connection, managementUrl: getManagementUrl(settings) });
  app.addHook('onClose', close);
  await app.register(outbox, {
    prefix: '/outbox',
    connection,
    secret: instance.identitySecret,
    poolId: instance.userPoolId,
    ...(!settings.externalBilling && { others: list }),
  });
}

async function registerIdentity(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { settings, instance, connection } = deps;
  if (settings.externalIdentity) return;
  const { issuer, userPoolId: poolId, clientId } = getIdentityProvider(settings, instance);
  const secret = instance.identitySecret;
  const { allowedFeatures, smtp } = settings.embeddedIdentity;
  await app.register(identity, {
    prefix: '/identity',
    connection,
    issuer,
    poolId,
    clientId,
    secret,
    adminKey: instance.identityAdminKey,
    ...(smtp && { smtp }),
    ...(allowedFeatures.includes('guests') && { identityPoolId: toIdentityPoolId(instance) }),
    oauth: getOAuthOptions(settings),
    rotation: { graceSeconds: 60 },
    passwordAuth: allowedFeatures.includes('USER_PASSWORD_AUTH'),
    customAuth: allowedFeatures.includes('CUSTOM_AUTH'),
    userAuth: true,
    ...toPasskeyOptions(settings),
  });
  if (hasOutbox(settings)) await registerOutbox(app, deps);
}

const getManagementUrl = ({ publicUrl }: Settings) => `${publicUrl}/settings/subscription`;

async function registerBilling(
  app: FastifyInstance,
  { settings, instance, connection }: AppDeps,
): Promise<void> {
  if (settings.externalBilling) return;
  const { sandboxKey, productionKey, secretKey, webhookSecret } = instance.billing;
  const { stripe, offeringsFile, demo } = settings;
  const { smtp } = settings.embeddedIdentity;
  const mailTransport = smtp && createSmtpTransport(smtp);
  app.addHook('onClose', async () => mailTransport?.close());
  await app.register(billing, {
    prefix: '/billing',
    connection,
    keys: {
      production: productionKey,
      secret: secretKey,
      ...(hasSandbox(settings) && { sandbox: sandboxKey }),
    },
    sandbox: demo,
    ...(stripe && { stripe }),
    ...(mailTransport && { mailTransport }),
    ...(offeringsFile && { catalogue: await readOfferings(offeringsFile) }),
    address: `${settings.publicUrl}/billing`,
    managementUrl: getManagementUrl(settings),
    webhook: {
      url: `${settings.publicUrl}/api/billing/events`,
      secret: webhookSecret,
      send: createInjectFetch(app),
    },
  });
}

async function registerOperators(app: FastifyInstance, { settings, instance }: AppDeps): Promise<void> {
  if (!hasSimulator(settings)) return;
  await app.register(operators, {
    prefix: '/operators',
    entryUrl: '/auth-external',
    ...deriveSimulatorKeys(instance),
  });
}

async function registerAll(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { settings, instance, webDirectory, probes } = deps;
  const secure = settings.publicUrl.startsWith('https:');
  const { externalIdentity, externalBilling } = settings;
  const oauthOrigin =
    externalIdentity?.oauthDomain && new URL(`https://${externalIdentity.oauthDomain}`).origin;
  const connectSources = [
    externalIdentity && new URL(externalIdentity.endpoint).origin,
    oauthOrigin,
    externalBilling && new URL(externalBilling.endpoint).origin,
  ].filter((origin) => origin !== undefined);

  registerMetrics(app, { token: settings.metricsToken });
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  const tagManagerPaths = settings.operators.entelTagManagerId === undefined ? [] : ['/auth-external'];
  // RevenueCat's card form is Stripe's as well.
  const usesStripe = settings.stripe !== undefined || externalBilling !== undefined;
  await registerWeb(app, {
    directory: webDirectory,
    connectSources,
    secure,
    reservedPrefixes,
    tagManagerPaths,
    usesStripe,
  });
  registerHealth(app, probes);
  app.get('/config.json', { schema: { hide: true } }, (request: FastifyRequest, reply) => {
    const origin = settings.followHost ? `${request.protocol}://${request.host}` : settings.publicUrl;
    return reply.header('cache-control', 'no-store').send(toPublicConfig(settings, instance, origin));
  });
  await registerIdentity(app, deps);
  await registerBilling(app, deps);
  await registerPortal(app, deps);
  await registerOperators(app, deps);
}

/** Builds the product as one app that does not listen yet: services at their paths, the web app everywhere else. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { logLevel, trustProxy = false, exposed } = deps.settings;
  const app = createApp({ logger: loggerOptions(logLevel), trustProxy, limitsLoopback: exposed });
  try {
    await registerAll(app, deps);
    return app;
  } catch (error) {
    // Plugins registered so far have open connections and workers.
    await app.close();
    throw error;
  }
}
