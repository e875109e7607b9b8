import type { Connection } from '@escucho/database';
import { openJobConnections } from '@escucho/jobs';
import type { MediaStore } from '@escucho/portal';
import { createApp, registerCompression, registerMetrics, standardOutputLog } from '@escucho/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Instance } from './instance.ts';
import { toPublicConfig } from './public-config.ts';
import { type Service, type ServiceDeps, serviceRegistrations } from './services.ts';
import type { Settings } from './settings.ts';
import { createSharedArticles } from './share-tags.ts';
import { registerStatus } from './status/page.ts';
import { registerWeb } from './web.ts';

/** Readiness checks by name; each throws when its dependency fails. */
export type Probes = Record<string, () => Promise<unknown>>;

/** Registers `/health` (liveness) and `/health/ready` (readiness; 503 when a check fails). */
function registerHealth(app: FastifyInstance, probes: Probes): void {
  app.get('/health', { schema: { hide: true }, logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { schema: { hide: true }, logLevel: 'silent' }, async (request, reply) => {
    const results = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => {
        const error = await probe().then(
          () => undefined,
          (cause: unknown) => cause,
        );
        if (error !== undefined) request.log.warn({ err: error, probe: name }, 'not ready');
        return [name, error === undefined ? 'ok' : 'failing'] as const;
      }),
    );
    const ready = results.every(([, state]) => state === 'ok');
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'failing', checks: Object.fromEntries(results) });
  });
}

/** The dependencies of the product's app. */
interface AppDeps {
  settings: Settings;
  instance: Instance;
  /** Undefined where ROLES has the web app only, as is the media store. */
  connection: Connection | undefined;
  mediaStore: MediaStore | undefined;
  webDirectory: string;
  probes: Probes;
}

async function registerBase(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { settings, instance, webDirectory, probes } = deps;
  const servesPages = settings.roles.includes('web');
  const { externalIdentity, externalBilling } = settings;
  const oauthOrigin =
    externalIdentity?.oauthDomain && new URL(`https://${externalIdentity.oauthDomain}`).origin;
  const connectSources = [
    externalIdentity && new URL(externalIdentity.endpoint).origin,
    oauthOrigin,
    externalBilling && new URL(externalBilling.endpoint).origin,
  ].filter((origin) => origin !== undefined);

  registerMetrics(app, { token: settings.metricsToken, publicUrl: settings.publicUrl });
  await registerCompression(app);
  // RevenueCat's card form is Stripe's as well.
  const usesStripe = settings.stripe !== undefined || externalBilling !== undefined;
  await registerWeb(app, {
    directory: webDirectory,
    connectSources,
    tagManagerId: settings.operators.entelTagManagerId,
    usesStripe,
    servesPages,
    origin: settings.publicUrl,
    findSharedArticle: createSharedArticles({
      portal: settings.roles.includes('portal') ? app : undefined,
      origin: settings.publicUrl,
    }),
  });
  registerHealth(app, probes);
  registerStatus(app, deps);
  if (!servesPages) return;
  app.get('/config.json', { schema: { hide: true } }, (request: FastifyRequest, reply) => {
    const address = `${request.protocol}://${request.host}`;
    const origin =
      settings.followHost && URL.canParse(address) ? new URL(address).origin : settings.publicUrl;
    return reply.header('cache-control', 'no-store').send(toPublicConfig(settings, instance, origin));
  });
}

const services: readonly Service[] = ['identity', 'billing', 'portal'];

/**
 * Registers the services that this process serves. Where it performs the background jobs of others, those are registered
 * on an app that does not listen.
 */
async function registerServices(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { settings, instance, connection, mediaStore } = deps;
  if (!connection || !mediaStore) return;
  const performJobs = settings.roles.includes('jobs');
  const isServed = (service: Service) => settings.roles.includes(service);
  const hidden = performJobs && !services.every(isServed) ? createHiddenApp(app, settings) : undefined;
  const findApp = (service: Service) => (isServed(service) ? app : hidden);
  const workers = services.length;
  const jobs = performJobs ? await openJobConnections({ connection, workers, log: app.log }) : undefined;
  // Hooks run in reverse order, so the workers of the services stop before.
  app.addHook('onClose', async () => jobs?.close());
  const serviceDeps: ServiceDeps = { settings, instance, connection, mediaStore, jobs, findApp };
  for (const service of services) {
    const target = findApp(service);
    if (target) await serviceRegistrations[service](target, serviceDeps);
  }
}

/** Creates an app that becomes ready and is closed with another one, and whose metrics that one serves. */
function createHiddenApp(app: FastifyInstance, { logLevel }: Settings): FastifyInstance {
  const hidden = createApp({ logger: standardOutputLog(logLevel), metricsRegistry: app.metricsRegistry });
  app.addHook('onReady', async () => {
    await hidden.ready();
  });
  app.addHook('preClose', () => hidden.close());
  return hidden;
}

/** Builds the product as one app that does not listen yet: services at their paths, the web app everywhere else. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { logLevel, trustProxy = false, exposed } = deps.settings;
  const app = createApp({ logger: standardOutputLog(logLevel), trustProxy, limitsLoopback: exposed });
  try {
    if (deps.settings.telemetryEndpoint !== undefined) {
      const { registerTelemetry } = await import('./telemetry.ts');
      await registerTelemetry(app);
    }
    await registerBase(app, deps);
    await registerServices(app, deps);
    return app;
  } catch (error) {
    // Plugins registered so far have open connections and workers.
    await app.close();
    throw error;
  }
}
