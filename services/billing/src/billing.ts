import type { FastifyPluginAsync } from 'fastify';
import { checkoutService } from './checkouts/service.ts';
import { registerCustomerPortal } from './customer-portal/routes.ts';
import { customerPortal } from './customer-portal/service.ts';
import { open } from './database.ts';
import { deliveryService } from './deliveries/service.ts';
import { sandboxGateway } from './gateways/sandbox.ts';
import { sandboxRepository } from './gateways/sandbox-repository.ts';
import { registerSandbox } from './gateways/sandbox-routes.ts';
import { stripeGateway } from './gateways/stripe.ts';
import { registerStripe } from './gateways/stripe-routes.ts';
import { registerManagement } from './management/routes.ts';
import { managementService } from './management/service.ts';
import { noticeService } from './notices/service.ts';
import { checkedCatalogue, ownCatalogue } from './offerings/catalogue.ts';
import { pricedCatalogue, termsByPrice } from './offerings/prices.ts';
import { type BillingOptions, isTestKey } from './options.ts';
import { paymentService } from './payments/service.ts';
import { registerEnvelope } from './protocol/envelope.ts';
import { keyring } from './protocol/keys.ts';
import { registerProtocol } from './protocol/routes.ts';
import { createScheduler } from './scheduler.ts';
import { subscriberService } from './subscribers/service.ts';
import { createWalk } from './subscriptions/charging.ts';
import { createHeed } from './subscriptions/heeding.ts';
import { createHolding } from './subscriptions/holding.ts';
import { subscriptionService } from './subscriptions/service.ts';

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
  const cards = sandboxRepository(outside);
  const stripe = options.stripe && stripeGateway(options.stripe);
  const stripeEnvironment = options.stripe && isTestKey(options.stripe.secretKey) ? 'sandbox' : 'production';
  const gateways = {
    ...(options.sandbox && { sandbox: sandboxGateway(cards) }),
    ...(stripe && { [stripeEnvironment]: stripe.gateway }),
  };
  const { letterbox } = options;
  const notices = letterbox && noticeService({ db, letterbox, managementUrl, report, clock });
  const deliveries = deliveryService({ db, listener: options.listener, report, clock });
  const scheduler = createScheduler({ report });
  const catalogue = await pricedCatalogue(
    checkedCatalogue(options.catalogue ?? ownCatalogue),
    stripe,
    report,
  );
  const changed = () => scheduler.soon('deliveries');
  const portal = customerPortal({
    ...{ db, gateway: stripe?.gateway, environment: stripeEnvironment, secret: keys.secret },
    ...{ address, managementUrl, report, clock },
  });
  const subscribers = subscriberService({ db, catalogue, managementUrl, portal, clock });
  const holding = createHolding({ db, clock });
  const { walk, release } = createWalk({ gateways, holding });
  const heed = createHeed({ gateways, holding, termsOfPrice: termsByPrice(catalogue) });
  const moving = { db, gateways, holding, walk, release, heed, changed };
  const subscriptions = subscriptionService({ ...moving, report, clock });
  const payments = paymentService(moving);
  const checkouts = checkoutService({ db, catalogue, gateways, subscribers, changed, report, clock });

  const management = managementService({
    ...{ db, catalogue, gateways, subscribers, subscriptions, payments, portal, clock },
  });
  const callerOf = keyring(keys);

  registerEnvelope(app);
  await app.register(async (protocol) =>
    registerProtocol(protocol, { callerOf, catalogue, subscribers, checkouts, clock }),
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
  await app.register(async (servers) => registerManagement(servers, { callerOf, management }));
  scheduler.start({
    deliveries: () => deliveries.round(),
    notices: async () => notices?.round(),
    checkouts: () => checkouts.resume(),
    subscriptions: () => subscriptions.rounds(),
  });
  // What was added last ends first: this before the database is let go.
  app.addHook('onClose', () => scheduler.stop());
};
