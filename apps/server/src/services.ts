import { createHmac } from 'node:crypto';
import { billing, openEmailOutbox } from '@escucho/billing';
import { AppError, api, platforms } from '@escucho/contracts';
import type { Connection } from '@escucho/database';
import {
  createPublicKeyResolver,
  createSessionReader,
  identity,
  type OAuthOptions,
  outbox,
} from '@escucho/identity';
import type { JobConnections } from '@escucho/jobs';
import { operators } from '@escucho/operators';
import { type MediaStore, media, type OperatorOptions, portal } from '@escucho/portal';
import { createSmtpTransport, registerOpenApi } from '@escucho/service-kit';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createRemoteJWKSet } from 'jose';
import { createBackupJobs } from './backup/take-backup.ts';
import type { Instance } from './instance.ts';
import {
  getIdentityProvider,
  getOrigins,
  getPasskeyDomain,
  hasOutbox,
  hasSandbox,
  hasSimulator,
  toIdentityPoolId,
  toRedirectUris,
} from './public-config.ts';
import { readOfferings } from './settings/billing.ts';
import type { Settings } from './settings.ts';
import { getProductVersion } from './storage.ts';

/** The dependencies of the services. */
export interface ServiceDeps {
  settings: Settings;
  instance: Instance;
  connection: Connection;
  mediaStore: MediaStore;
  /** With them, the services perform their background jobs. */
  jobs: JobConnections | undefined;
  /** Returns the app of this process that has a service; undefined where another process serves it. */
  findApp: (service: Service) => FastifyInstance | undefined;
}

/** Longer than the portal waits for the identity provider. */
const DELETION_TIMEOUT_MS = 15_000;

const injectMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
/** The statuses whose responses have no body (Fetch Standard). */
const nullBodyStatuses = [204, 205, 304];

/**
 * Returns a `fetch` that sends requests to the services of an app by their public URLs without the network, because a
 * proxy may be in between. Undefined without an app: another process serves them.
 */
export function createInjectFetch(app: FastifyInstance | undefined) {
  if (!app) return undefined;
  return async (url: string, { method, headers, body, signal }: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const request: InjectOptions = {
      url: pathname + search,
      method: injectMethods.find((known) => known === method) ?? 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { payload: body }),
      ...(signal && { signal }),
    };
    const { statusCode: status, body: text } = await app.inject(request);
    return new Response(nullBodyStatuses.includes(status) ? null : text, { status });
  };
}

/** Returns how the portal reaches the billing provider, external or embedded. */
function getBillingOptions({ settings: { externalBilling, publicUrl }, instance, findApp }: ServiceDeps) {
  if (externalBilling) return externalBilling;
  const { secretKey, webhookSecret: eventSecret } = instance.billing;
  const send = createInjectFetch(findApp('billing'));
  return { endpoint: `${publicUrl}/billing`, secretKey, eventSecret, ...(send && { send }) };
}

/** Returns how the portal reaches the identity provider, external or embedded. */
function getIdentityOptions({ settings, instance, findApp }: ServiceDeps) {
  const { externalIdentity, identityAdminKey: adminKey, awsKeys } = settings;
  if (externalIdentity) return { listsSessions: false, adminKey, awsKeys };
  const send = createInjectFetch(findApp('identity'));
  return { listsSessions: true, adminKey: instance.identityAdminKey, ...(send && { send }) };
}

/**
 * Returns how the identity provider deletes a user's data: as the portal does on request of the user, which ends the
 * subscription.
 */
function createUserDataDeletion({ settings: { publicUrl }, findApp }: ServiceDeps) {
  const send = createInjectFetch(findApp('portal')) ?? fetch;
  const { method, path } = api.account.deleteAccount;
  return async (accessToken: string): Promise<void> => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const signal = AbortSignal.timeout(DELETION_TIMEOUT_MS);
    const response = await send(`${publicUrl}/api${path}`, { method, headers, signal }).catch((cause) => {
      throw new AppError('unavailable', { cause });
    });
    if (response.status === 401) throw new AppError('unauthorized');
    if (!response.ok)
      throw new AppError('unavailable', {
        cause: new Error(`The portal responded with ${response.status}.`),
      });
  };
}

/** Returns the secrets that the simulator shares with the portal. */
function deriveSimulatorKeys({ readerTokenSecret }: Instance): { secret: string; key: string } {
  const deriveKey = (purpose: string) =>
    createHmac('sha256', readerTokenSecret).update(`operator simulator ${purpose}`).digest('base64url');
  return { secret: deriveKey('secret'), key: deriveKey('key') };
}

/** Returns the simulator's URL as seen from this process. */
function getSimulatorUrl({ host, port }: Settings): string {
  const loopbackAddresses: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const address = loopbackAddresses[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${address}:${port}/operators`;
}

/** Returns the portal's options: the gateways and the key of the tokens it issues. */
function toOperatorOptions(settings: Settings, instance: Instance): OperatorOptions {
  const { readerTokenSecret: tokenSecret } = instance;
  if (!hasSimulator(settings)) return { tokenSecret, gateways: settings.operators.external };
  const simulatorUrl = getSimulatorUrl(settings);
  const gateways = platforms.map((platform) => [
    platform,
    { gateway: `${simulatorUrl}/${platform}/gateway`, ...deriveSimulatorKeys(instance) },
  ]);
  return { tokenSecret, gateways: Object.fromEntries(gateways) };
}

async function registerPortal(app: FastifyInstance, deps: ServiceDeps): Promise<void> {
  const { settings, instance, connection, mediaStore, jobs } = deps;
  const { dataDir, backup } = settings;
  const installationJobs = createBackupJobs(backup, {
    connection,
    instance,
    mediaStore,
    dataDir,
    log: app.log,
    clock: () => new Date(),
  });
  const { endpoint, userPoolId, issuer, clientId, jwksUri } = getIdentityProvider(settings, instance);
  // The embedded provider is not called over HTTP: this process does not listen yet.
  const keys = settings.externalIdentity
    ? createRemoteJWKSet(new URL(jwksUri))
    : createPublicKeyResolver(connection);
  // Tokens of an external provider are accepted until they expire: it cannot be asked for the state of a session.
  const sessions = settings.externalIdentity ? undefined : createSessionReader({ connection });
  if (sessions) app.addHook('onClose', () => sessions.close());
  const secret = instance.mediaSecret;
  const baseUrl = settings.followHost ? '/media' : `${settings.publicUrl}/media`;
  await app.register(
    async (api) => {
      await registerOpenApi(api, { title: 'Escucho', version: getProductVersion() });
      await api.register(portal, {
        connection,
        tokens: { issuer, clientId, keys, ...(sessions && { isSessionActive: sessions.isSessionActive }) },
        media: { secret, baseUrl, audioLifetimeSeconds: settings.audioLinkSeconds },
        provider: { endpoint, userPoolId, ...getIdentityOptions(deps) },
        operators: toOperatorOptions(settings, instance),
        billing: getBillingOptions(deps),
        jobs,
        ...(installationJobs && { installationJobs }),
        acceptsSandbox: hasSandbox(settings),
        auditRetentionDays: settings.auditRetentionDays,
      });
    },
    { prefix: '/api' },
  );
  await app.register(media, { prefix: '/media', store: mediaStore, secret });
  if (hasSimulator(settings))
    await app.register(operators, {
      prefix: '/operators',
      entryUrl: '/auth-external',
      ...deriveSimulatorKeys(instance),
    });
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
  { settings, instance, connection }: ServiceDeps,
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

async function registerIdentity(app: FastifyInstance, deps: ServiceDeps): Promise<void> {
  const { settings, instance, connection, jobs } = deps;
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
    deleteUserData: createUserDataDeletion(deps),
    ...(smtp && { smtp }),
    ...(allowedFeatures.includes('guests') && { identityPoolId: toIdentityPoolId(instance) }),
    oauth: getOAuthOptions(settings),
    passwordAuth: allowedFeatures.includes('USER_PASSWORD_AUTH'),
    customAuth: allowedFeatures.includes('CUSTOM_AUTH'),
    ...toPasskeyOptions(settings),
    jobs,
  });
  if (hasOutbox(settings)) await registerOutbox(app, deps);
}

const getManagementUrl = ({ publicUrl }: Settings) => `${publicUrl}/settings/subscription`;

async function registerBilling(app: FastifyInstance, deps: ServiceDeps): Promise<void> {
  const { settings, instance, connection, jobs, findApp } = deps;
  if (settings.externalBilling) return;
  const { sandboxKey, productionKey, secretKey, webhookSecret } = instance.billing;
  const { stripe, offeringsFile, demo } = settings;
  const { smtp } = settings.embeddedIdentity;
  const mailTransport = smtp && (await createSmtpTransport(smtp));
  app.addHook('onClose', async () => mailTransport?.close());
  const send = createInjectFetch(findApp('portal'));
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
      ...(send && { send }),
    },
    jobs,
  });
}

/** Registers each service; those that are external or need demo mode register nothing. */
export const serviceRegistrations = {
  identity: registerIdentity,
  billing: registerBilling,
  portal: registerPortal,
};

/** The services of the product, by the role of a process that serves them. */
export type Service = keyof typeof serviceRegistrations;
