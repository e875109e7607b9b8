import type { Connection } from '@escucho/database';
import { handleJob, type JobConnections, startJobWorker } from '@escucho/jobs';
import { type MailTransport, registerRateLimits } from '@escucho/service-kit';
import type { FastifyPluginAsync } from 'fastify';
import { createCheckoutService } from './checkouts/service.ts';
import { createCustomerPortal, registerCustomerPortal } from './customer-portal/service.ts';
import { openBillingDatabase } from './database.ts';
import type { BillingDeps } from './deps.ts';
import { createSandboxGateway, registerSandbox } from './gateways/sandbox/gateway.ts';
import { createSandboxRepository } from './gateways/sandbox/repository.ts';
import type { StripeOptions } from './gateways/stripe/client.ts';
import { registerStripe } from './gateways/stripe/routes.ts';
import {
  jobQueue,
  processOverdueSubscriptions,
  processSubscription,
  resumeCheckout,
  sendNotificationEmail,
  sendWebhooks,
  syncSubscription,
} from './jobs.ts';
import { createManagementService, registerManagement } from './management/service.ts';
import { createNotificationEmailService } from './notification-emails/service.ts';
import {
  applyGatewayPrices,
  createTermsByPrice,
  defaultCatalogue,
  parseCatalogue,
} from './offerings/catalogue.ts';
import { createPaymentService } from './payments/service.ts';
import { type BillingKeys, createKeyring, registerEnvelope } from './protocol/envelope.ts';
import { registerProtocol } from './protocol/routes.ts';
import type { Environment } from './subscribers/policy.ts';
import { createSubscriberService } from './subscribers/service.ts';
import { createBatchedLock, createWithLock } from './subscriptions/lock.ts';
import { createProcessing } from './subscriptions/processing.ts';
import { createSubscriptionService } from './subscriptions/service.ts';
import { createPurchaseTokens } from './tokens.ts';
import { createWebhookService, type WebhookEndpoint } from './webhooks/service.ts';

/** The options of the billing provider. */
export interface BillingOptions {
  connection: Connection;
  keys: BillingKeys;
  /** Enables the sandbox gateway, whose cards and clocks anybody may control. Not for production. */
  sandbox: boolean;
  /** The content of the offerings file; the built-in catalogue by default. */
  catalogue?: unknown;
  /** The public URL of this service, without a trailing slash. */
  address: string;
  /** The page where users manage their subscription. */
  managementUrl: string;
  /** Live or test mode, by the kind of its keys. */
  stripe?: StripeOptions;
  /** Sends notification e-mails; without it they stay in the database for the outbox page. */
  mailTransport?: MailTransport;
  /** Receives webhook events. */
  webhook?: WebhookEndpoint;
  /** With them, this process performs background jobs. */
  jobs?: JobConnections | undefined;
  clock?: () => Date;
}

/** Whether a secret or publishable key of Stripe is for test mode. */
export const isTestKey = (key: string): boolean => /^[rsp]k_test_/.test(key);

/** Loads Stripe's library, the largest of all, where there is an account. */
async function loadStripeGateway(account: StripeOptions, environment: Environment) {
  const { createStripeGateway } = await import('./gateways/stripe/gateway.ts');
  return createStripeGateway(account, environment);
}

/** As many subscriptions are processed together. */
const JOB_CONCURRENCY = 16;

/**
 * The billing provider as a Fastify plugin: RevenueCat's protocol over one catalogue. The database must be migrated. Any
 * number of processes may serve it.
 */
export const billing: FastifyPluginAsync<BillingOptions> = async (app, options) => {
  const { connection, keys, address, managementUrl, clock = () => new Date() } = options;
  const db = openBillingDatabase(connection, { name: 'billing', log: app.log });
  app.addHook('onClose', () => db.destroy());
  registerRateLimits(app, { connection, schema: 'billing', secret: keys.secret });

  const report = (details: object, message: string) => app.log.warn(details, message);

  // The sandbox simulates an external gateway: it must respond while the service uses all of its own connections.
  const sandboxDb = openBillingDatabase(connection, {
    name: 'billing sandbox',
    maxConnections: 4,
    log: app.log,
  });
  app.addHook('onClose', () => sandboxDb.destroy());
  const cards = createSandboxRepository(sandboxDb);
  const environment = options.stripe && isTestKey(options.stripe.secretKey) ? 'sandbox' : 'production';
  const stripe = options.stripe && (await loadStripeGateway(options.stripe, environment));
  const gateways = {
    ...(options.sandbox && { sandbox: createSandboxGateway(cards) }),
    ...(stripe && { [environment]: stripe.gateway }),
  };

  const catalogue = parseCatalogue(options.catalogue ?? defaultCatalogue);
  if (stripe) {
    const endAttempts = await applyGatewayPrices({ catalogue, findPrices: stripe.findPrices, report });
    app.addHook('onClose', async () => endAttempts());
  }
  const hasWebhook = options.webhook !== undefined;
  const common: BillingDeps = { db, catalogue, gateways, managementUrl, hasWebhook, report, clock };
  const portal = createCustomerPortal({
    ...common,
    gateway: stripe?.gateway,
    environment,
    secret: keys.secret,
    address,
  });
  const subscribers = createSubscriberService({ ...common, portal });
  const withLock = createWithLock(common);
  const processingDeps = { gateways, findTermsByPrice: createTermsByPrice(catalogue) };
  const deps = { ...common, withLock, ...createProcessing({ ...processingDeps, withLock }) };
  const { processDue: processDueInBatches } = createProcessing({
    ...processingDeps,
    withLock: createBatchedLock(common),
  });
  const subscriptions = createSubscriptionService({ ...deps, processDueInBatches });
  const payments = createPaymentService(deps);
  const checkouts = createCheckoutService({ ...common, subscribers });
  const management = createManagementService({ ...common, subscribers, subscriptions, payments, portal });
  const authenticate = createKeyring(keys);
  const purchaseTokens = createPurchaseTokens({ db, secret: keys.secret, clock });

  registerEnvelope(app);
  await app.register(async (scope) =>
    registerProtocol(scope, { authenticate, catalogue, subscribers, checkouts, purchaseTokens, clock }),
  );
  if (stripe) {
    await app.register(async (scope) =>
      registerStripe(scope, { stripe, checkouts, payments, subscriptions, clock }),
    );
  }
  if (options.sandbox) registerSandbox(app, { cards, checkouts, payments, subscribers, subscriptions });
  registerCustomerPortal(app, { portal });
  await app.register(async (scope) =>
    registerManagement(scope, { authenticate, subscribers, management, purchaseTokens }),
  );

  const { mailTransport } = options;
  const emails = createNotificationEmailService({ ...common, mailTransport });
  const webhooks = createWebhookService({ db, endpoint: options.webhook, clock });
  const { jobs } = options;
  if (!jobs) return;
  const worker = await startJobWorker({
    registry: app.metricsRegistry,
    queue: jobQueue,
    connections: jobs,
    concurrency: JOB_CONCURRENCY,
    log: app.log,
    handlers: [
      handleJob(sendWebhooks, ({ subscriberId }) => webhooks.send(subscriberId)),
      handleJob(sendNotificationEmail, ({ emailId }) => emails.send(emailId)),
      handleJob(resumeCheckout, ({ checkoutId }) => checkouts.resume(checkoutId)),
      handleJob(processSubscription, (ref) => subscriptions.process(ref)),
      handleJob(syncSubscription, async ({ id }) => {
        await subscriptions.adoptReplacement(id);
        await payments.syncSubscription(id);
      }),
      handleJob(processOverdueSubscriptions, () => subscriptions.enqueueOverdue()),
    ],
    schedule: [{ job: processOverdueSubscriptions, cron: '23 * * * *' }],
  });
  // Hooks run in reverse order, so the worker stops before the database is closed.
  app.addHook('onClose', () => worker.stop());
};
