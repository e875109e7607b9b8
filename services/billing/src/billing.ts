import type { FastifyPluginAsync } from 'fastify';
import { createCheckoutService } from './checkouts/service.ts';
import { registerCustomerPortal } from './customer-portal/routes.ts';
import { createCustomerPortal } from './customer-portal/service.ts';
import { open } from './database.ts';
import { createSandboxGateway } from './gateways/sandbox/gateway.ts';
import { createSandboxRepository } from './gateways/sandbox/repository.ts';
import { registerSandbox } from './gateways/sandbox/routes.ts';
import { createStripeGateway } from './gateways/stripe/gateway.ts';
import { registerStripe } from './gateways/stripe/routes.ts';
import { registerManagement } from './management/routes.ts';
import { createManagementService } from './management/service.ts';
import { createNotificationEmailService } from './notification-emails/service.ts';
import { defaultCatalogue, parseCatalogue } from './offerings/catalogue.ts';
import { applyGatewayPrices, createTermsByPrice } from './offerings/prices.ts';
import { type BillingOptions, isTestKey } from './options.ts';
import { createPaymentService } from './payments/service.ts';
import { registerEnvelope } from './protocol/envelope.ts';
import { createKeyring } from './protocol/keys.ts';
import { registerProtocol } from './protocol/routes.ts';
import { createScheduler } from './scheduler.ts';
import { createSubscriberService } from './subscribers/service.ts';
import { createProcessDue } from './subscriptions/charging.ts';
import { createSyncFromGateway } from './subscriptions/heeding.ts';
import { createWithLock } from './subscriptions/holding.ts';
import { createSubscriptionService } from './subscriptions/service.ts';
import { createWebhookService } from './webhooks/service.ts';

/**
 * The billing provider, to be mounted at a prefix: RevenueCat's protocol for pages, over one catalogue. The database
 * must be migrated. Any number of processes may serve it.
 */
export const billing: FastifyPluginAsync<BillingOptions> = async (app, options) => {
  const { connection, keys, address, managementUrl, clock = () => new Date() } = options;
  const db = open(connection, { name: 'billing', log: app.log });
  app.addHook('onClose', () => db.destroy());

  const report = (detail: object, message: string) => app.log.warn(detail, message);

  // The world outside has connections of its own: it must answer while we hold ours.
  const outside = open(connection, { name: 'billing sandbox', maxConnections: 4, log: app.log });
  app.addHook('onClose', () => outside.destroy());
  const cards = createSandboxRepository(outside);
  const stripe = options.stripe && createStripeGateway(options.stripe);
  const stripeEnvironment = options.stripe && isTestKey(options.stripe.secretKey) ? 'sandbox' : 'production';
  const gateways = {
    ...(options.sandbox && { sandbox: createSandboxGateway(cards) }),
    ...(stripe && { [stripeEnvironment]: stripe.gateway }),
  };
  const { mailTransport } = options;
  const notices =
    mailTransport && createNotificationEmailService({ db, mailTransport, managementUrl, report, clock });
  const deliveries = createWebhookService({ db, listener: options.listener, report, clock });
  const scheduler = createScheduler({ report });
  const catalogue = await applyGatewayPrices(
    parseCatalogue(options.catalogue ?? defaultCatalogue),
    stripe,
    report,
  );
  const notifyChange = () => scheduler.soon('deliveries');
  const portal = createCustomerPortal({
    db,
    gateway: stripe?.gateway,
    environment: stripeEnvironment,
    secret: keys.secret,
    address,
    managementUrl,
    report,
    clock,
  });
  const subscribers = createSubscriberService({ db, catalogue, managementUrl, portal, clock });
  const withLock = createWithLock({ db, clock });
  const { processDue, cancelAtGateway } = createProcessDue({ gateways, withLock });
  const syncFromGateway = createSyncFromGateway({
    gateways,
    withLock,
    findTermsByPrice: createTermsByPrice(catalogue),
  });
  const moving = { db, gateways, withLock, processDue, cancelAtGateway, syncFromGateway, notifyChange };
  const subscriptions = createSubscriptionService({ ...moving, report, clock });
  const payments = createPaymentService(moving);
  const checkouts = createCheckoutService({
    db,
    catalogue,
    gateways,
    subscribers,
    notifyChange,
    report,
    clock,
  });

  const management = createManagementService({
    db,
    catalogue,
    gateways,
    subscribers,
    subscriptions,
    payments,
    portal,
    clock,
  });
  const authenticate = createKeyring(keys);

  registerEnvelope(app);
  await app.register(async (protocol) =>
    registerProtocol(protocol, { authenticate, catalogue, subscribers, checkouts, clock }),
  );
  if (stripe) {
    await app.register(async (events) =>
      registerStripe(events, { stripe, checkouts, payments, subscriptions, clock }),
    );
  }
  if (options.sandbox) {
    await app.register(async (sandbox) =>
      registerSandbox(sandbox, { cards, checkouts, payments, subscribers, subscriptions }),
    );
  }
  await app.register(async (people) => registerCustomerPortal(people, { portal }));
  await app.register(async (servers) => registerManagement(servers, { authenticate, management }));
  scheduler.start({
    deliveries: () => deliveries.round(),
    notices: async () => notices?.round(),
    checkouts: () => checkouts.resume(),
    subscriptions: () => subscriptions.rounds(),
  });
  // What was added last ends first: this before the database is let go.
  app.addHook('onClose', () => scheduler.stop());
};
