import { billing, isTestKey, openEmailOutbox } from '@escucho/billing';
import type { Connection } from '@escucho/database';
import { createPublicKeyResolver, identity, type OAuthOptions, outbox } from '@escucho/identity';
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
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createRemoteJWKSet } from 'jose';
import { type Probes, registerHealth } from './health.ts';
import { insideOf } from './inside.ts';
import type { Instance } from './instance.ts';
import { ownOrigins, redirectTargets } from './oauth.ts';
import { readOfferings } from './offerings.ts';
import { hasSimulator, operatorOptions, simulatorKeys } from './operators.ts';
import { hasOutbox, identityOf, identityPoolIdOf, publicConfigOf } from './public-config.ts';
import type { Settings } from './settings.ts';
import { registerWeb } from './web.ts';

/** Path prefixes of services, under which the web app serves nothing. */
const reserved = [
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

/** What the product's app is assembled from. */
export interface Parts {
  settings: Settings;
  instance: Instance;
  connection: Connection;
  mediaStore: MediaStore;
  webDirectory: string;
  probes: Probes;
}

/** Returns how the portal reaches the billing provider, external or embedded. */
function billingLink(app: FastifyInstance, { outsideBilling, publicUrl }: Settings, { billing }: Instance) {
  if (outsideBilling) return outsideBilling;
  const { secretKey, webhookSecret: eventSecret } = billing;
  return { endpoint: `${publicUrl}/billing`, secretKey, eventSecret, send: insideOf(app) };
}

/** Returns how the portal reaches the identity provider, external or embedded. */
function identityLink(app: FastifyInstance, settings: Settings, instance: Instance) {
  if (settings.outsideIdentity) return { listsSessions: false, adminKey: settings.identityAdminKey };
  return { listsSessions: true, adminKey: instance.identityAdminKey, send: insideOf(app) };
}

async function registerPortal(
  app: FastifyInstance,
  { settings, instance, connection, mediaStore }: Parts,
): Promise<void> {
  const { endpoint, userPoolId, issuer, clientId, jwksUri } = identityOf(settings, instance);
  // The embedded provider is not called over HTTP: this process does not listen yet.
  const keysOf = settings.outsideIdentity
    ? createRemoteJWKSet(new URL(jwksUri))
    : createPublicKeyResolver({ connection });
  const secret = instance.mediaSecret;
  const baseUrl = settings.followHost ? '/media' : `${settings.publicUrl}/media`;
  await app.register(
    async (api) => {
      await registerOpenApi(api, { title: 'Escucho', version: '0.1.0' });
      await api.register(portal, {
        connection,
        tokens: { issuer, clientId, keys: keysOf },
        media: { secret, baseUrl, audioLifetimeSeconds: settings.audioLinkSeconds },
        provider: { endpoint, userPoolId, ...identityLink(app, settings, instance) },
        operators: operatorOptions(settings, instance),
        billing: billingLink(app, settings, instance),
      });
    },
    { prefix: '/api' },
  );
  await app.register(media, { prefix: '/media', store: mediaStore, secret });
}

/** The provider's pages share the origins of the web app. */
function oauthOptions(settings: Settings): OAuthOptions {
  const origins = ownOrigins(settings);
  const [own, ...others] = origins;
  const { google, facebook, allowed } = settings.embeddedIdentity;
  return {
    addresses: [`${own}/identity`, ...others.map((origin) => `${origin}/identity`)],
    ...redirectTargets(origins),
    implicit: allowed.includes('implicit'),
    app: { signUp: '/auth/sign-up', forgotPassword: '/auth/forgot-password' },
    ...(google && { google }),
    ...(facebook && { facebook }),
    simulateProviders: settings.demo,
  };
}

/** Registers the outbox page with the mail of all services. */
async function registerOutbox(
  app: FastifyInstance,
  { settings, connection }: Pick<Parts, 'settings' | 'connection'>,
): Promise<void> {
  const { list, close } = openEmailOutbox({ connection, managementUrl: managementUrlOf(settings) });
  app.addHook('onClose', close);
  await app.register(outbox, {
    prefix: '/outbox',
    connection,
    ...(!settings.outsideBilling && { others: list }),
  });
}

async function registerIdentity(
  app: FastifyInstance,
  { settings, instance, connection }: Parts,
): Promise<void> {
  if (settings.outsideIdentity) return;
  const { issuer, userPoolId: poolId, clientId } = identityOf(settings, instance);
  const secret = instance.identitySecret;
  const { allowed, smtp } = settings.embeddedIdentity;
  await app.register(identity, {
    prefix: '/identity',
    connection,
    issuer,
    poolId,
    clientId,
    secret,
    adminKey: instance.identityAdminKey,
    ...(smtp && { smtp }),
    ...(allowed.includes('guests') && { identityPoolId: identityPoolIdOf(instance) }),
    oauth: oauthOptions(settings),
    passwordAuth: allowed.includes('USER_PASSWORD_AUTH'),
    customAuth: allowed.includes('CUSTOM_AUTH'),
  });
  if (hasOutbox(settings)) await registerOutbox(app, { settings, connection });
}

const managementUrlOf = ({ publicUrl }: Settings) => `${publicUrl}/settings/subscription`;

async function registerBilling(
  app: FastifyInstance,
  { settings, instance, connection }: Parts,
): Promise<void> {
  if (settings.outsideBilling) return;
  const { sandboxKey, productionKey, secretKey, webhookSecret } = instance.billing;
  const { stripe, offeringsFile, demo } = settings;
  const { smtp } = settings.embeddedIdentity;
  const mailTransport = smtp && createSmtpTransport(smtp);
  app.addHook('onClose', async () => mailTransport?.close());
  const hasPlayMoney = demo || (stripe && isTestKey(stripe.secretKey));
  await app.register(billing, {
    prefix: '/billing',
    connection,
    keys: { production: productionKey, secret: secretKey, ...(hasPlayMoney && { sandbox: sandboxKey }) },
    sandbox: demo,
    ...(stripe && { stripe }),
    ...(mailTransport && { mailTransport }),
    ...(offeringsFile && { catalogue: await readOfferings(offeringsFile) }),
    address: `${settings.publicUrl}/billing`,
    managementUrl: managementUrlOf(settings),
    webhook: {
      url: `${settings.publicUrl}/api/billing/events`,
      secret: webhookSecret,
      send: insideOf(app),
    },
  });
}

async function registerOperators(app: FastifyInstance, { settings, instance }: Parts): Promise<void> {
  if (!hasSimulator(settings)) return;
  await app.register(operators, {
    prefix: '/operators',
    entryUrl: '/auth-external',
    ...simulatorKeys(instance),
  });
}

async function registerAll(app: FastifyInstance, parts: Parts): Promise<void> {
  const { settings, instance, webDirectory, probes } = parts;
  const secure = settings.publicUrl.startsWith('https:');
  const { outsideIdentity, outsideBilling } = settings;
  const oauthOrigin =
    outsideIdentity?.oauthDomain && new URL(`https://${outsideIdentity.oauthDomain}`).origin;
  const connectTo = [
    outsideIdentity && new URL(outsideIdentity.endpoint).origin,
    oauthOrigin,
    outsideBilling && new URL(outsideBilling.endpoint).origin,
  ].filter((origin) => origin !== undefined);

  registerMetrics(app, { token: settings.metricsToken });
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  const tagged = settings.operators.entelTagManagerId === undefined ? [] : ['/auth-external'];
  // RevenueCat takes cards through Stripe as well.
  const takesCards = settings.stripe !== undefined || outsideBilling !== undefined;
  await registerWeb(app, { directory: webDirectory, connectTo, secure, reserved, tagged, takesCards });
  registerHealth(app, probes);
  app.get('/config.json', { schema: { hide: true } }, (request: FastifyRequest, reply) => {
    const origin = settings.followHost ? `${request.protocol}://${request.host}` : settings.publicUrl;
    return reply.header('cache-control', 'no-store').send(publicConfigOf(settings, instance, origin));
  });
  await registerIdentity(app, parts);
  await registerBilling(app, parts);
  await registerPortal(app, parts);
  await registerOperators(app, parts);
}

/** Builds the product as one app that does not listen yet: services at their paths, the web app everywhere else. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { logLevel, trustProxy = false } = parts.settings;
  const app = createApp({ logger: loggerOptions(logLevel), trustProxy });
  try {
    await registerAll(app, parts);
    return app;
  } catch (error) {
    // Plugins registered so far have open connections and workers.
    await app.close();
    throw error;
  }
}
