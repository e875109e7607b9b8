import { randomBytes } from 'node:crypto';
import {
  AppError,
  billingApi,
  type CardSetup,
  type PaymentConfirmation,
  type PaymentResult,
  type Receipt,
  type SubscriptionManagement,
} from '@escucho/contracts';
import { createRouter } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import { checkoutRepository } from '../checkouts/repository.ts';
import type { CustomerPortal } from '../customer-portal/service.ts';
import type { BillingDeps } from '../deps.ts';
import { billingErrors } from '../errors.ts';
import { BASE_OPTION, findProductsForSale, toTerms } from '../offerings/catalogue.ts';
import type { PaymentService } from '../payments/service.ts';
import type { Keyring } from '../protocol/envelope.ts';
import { getEnvironment, toSubscriberTime } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import { canCancel, canChangePlan, canResume } from '../subscriptions/policy.ts';
import { isAccepted, requireGateway } from '../subscriptions/processing.ts';
import { type StoredSubscription, subscriptionRepository } from '../subscriptions/repository.ts';
import type { Decision, SubscriptionService } from '../subscriptions/service.ts';
import type { PurchaseTokens } from '../tokens.ts';
import { toPlans, toPurchasedSubscription, toReceipts } from './presenter.ts';

const MAX_RECEIPTS = 100;

interface ManagementDeps extends BillingDeps {
  subscribers: SubscriberService;
  subscriptions: SubscriptionService;
  payments: PaymentService;
  portal: CustomerPortal;
}

/** Creates the service by which other servers manage subscriptions for their signed-in users (SUB-07). */
export function createManagementService(deps: ManagementDeps) {
  const { db, catalogue, gateways, subscribers, subscriptions, payments, portal, clock } = deps;

  async function find(appUserId: string): Promise<SubscriptionManagement> {
    const { subscriber } = await subscribers.findOrCreate(appUserId);
    const stored = await subscriptions.findManaged(subscriber.id);
    const now = toSubscriberTime(subscriber, clock());
    const current = stored
      ? toPurchasedSubscription(stored.state, subscriber, catalogue.products, now)
      : null;
    const forSale = findProductsForSale(catalogue);
    // The owner may stay with the present plan, though it may not be on sale any more.
    const plans = catalogue.products.filter(
      (product) => forSale.includes(product) || product.identifier === stored?.state.terms?.product,
    );
    return {
      current,
      plans: toPlans(plans),
      managementUrl: (await portal.createUrl(subscriber)) ?? null,
    };
  }

  /** Changes the managed subscription and returns it. Throws `BillingError`, `GatewayError`. */
  async function change(appUserId: string, decide: Decision): Promise<SubscriptionManagement> {
    const subscriber = await subscribers.getExisting(appUserId);
    await subscriptions.change(subscriber.id, decide);
    return find(appUserId);
  }

  /** Returns a subscriber with the managed subscription. Throws `BillingError`. */
  async function getManaged(appUserId: string) {
    const subscriber = await subscribers.getExisting(appUserId);
    const stored = await subscriptions.findManaged(subscriber.id);
    if (!stored) throw billingErrors.subscriptionNotFound();
    return { subscriber, stored };
  }

  /** Pays for the managed subscription and returns it. Throws `BillingError`, `GatewayError`. */
  async function withManaged(
    appUserId: string,
    work: (stored: StoredSubscription) => Promise<PaymentConfirmation | undefined>,
  ): Promise<PaymentResult> {
    const { stored } = await getManaged(appUserId);
    const confirmation = await work(stored);
    return { ...(await find(appUserId)), confirmation: confirmation ?? null };
  }

  return {
    find,

    pay: (appUserId: string) => withManaged(appUserId, payments.pay),

    /** Creates a form for another card. Throws `BillingError`, `GatewayError`. */
    async createCardSetup(appUserId: string): Promise<CardSetup> {
      const { subscriber, stored } = await getManaged(appUserId);
      const environment = getEnvironment(stored.state);
      const customer = subscriber.payers[environment]?.customer;
      const gateway = gateways[environment];
      if (!customer || !gateway) throw billingErrors.cardNotFound();
      const form = `card_${randomBytes(18).toString('base64url')}`;
      const { customer: owner, ...setup } = await gateway.createSetup({ checkout: form, customer });
      if (owner === customer) return setup;
      // The gateway has deleted the customer, and the subscription with it.
      await gateway.deleteCustomer(owner);
      throw billingErrors.cardNotFound();
    },

    /** Replaces the card by that of a completed form. Throws `BillingError`, `GatewayError`. */
    replaceCard: (appUserId: string, setup: string) =>
      withManaged(appUserId, (stored) => payments.replaceCard(stored, setup)),

    cancel: (appUserId: string) =>
      change(appUserId, (state, at) => {
        if (state.unsubscribedAt) return [];
        if (!canCancel(state)) throw billingErrors.cancelRefused();
        return [{ kind: 'cancelled', at, by: 'user' }];
      }),

    resume: (appUserId: string) =>
      change(appUserId, (state, at) => {
        if (!state.unsubscribedAt) return [];
        if (!canResume(state, at)) throw billingErrors.resumeRefused();
        return [{ kind: 'resumed', at }];
      }),

    /** Throws `BillingError`, also for a product that is not on sale, and `GatewayError`. */
    choosePlan(appUserId: string, chosen: string): Promise<SubscriptionManagement> {
      const product = findProductsForSale(catalogue).find(({ identifier }) => identifier === chosen);
      return change(appUserId, (state, at) => {
        const isPresent = state.terms?.product === chosen;
        if (!isPresent && !product) throw billingErrors.unknownProduct();
        if (!canChangePlan(state, at)) throw billingErrors.planChangeRefused();
        if (isPresent || !product) return state.nextTerms ? [{ kind: 'plan_chosen', at, terms: null }] : [];
        if (state.nextTerms?.product === chosen) return [];
        return [{ kind: 'plan_chosen', at, terms: toTerms(product, BASE_OPTION) }];
      });
    },

    /** Newest first. */
    async listReceipts(appUserId: string): Promise<Receipt[]> {
      const { subscriber } = await subscribers.findOrCreate(appUserId);
      // A payment may have been refunded in several parts.
      const events = await subscriptionRepository.findPayments(db, subscriber.id, {
        acceptsSandbox: gateways.sandbox !== undefined,
        limit: 4 * MAX_RECEIPTS,
      });
      return toReceipts(events, subscriber, catalogue.products).slice(0, MAX_RECEIPTS);
    },

    /** Refunds what is left of a payment. Throws `BillingError`, also while it is disputed, and `GatewayError`. */
    async refund(appUserId: string, receipt: string): Promise<SubscriptionManagement> {
      const subscriber = await subscribers.getExisting(appUserId);
      await payments.refund(subscriber.id, receipt);
      return find(appUserId);
    },

    /**
     * Deletes a subscriber: ends renewals, deletes customers and cards, then the name. Returns whether there was one.
     * Throws `GatewayError`, also where no gateway is configured for a customer.
     */
    async deleteSubscriber(appUserId: string): Promise<boolean> {
      const subscriber = await subscriberRepository.find(db, appUserId);
      if (!subscriber) return false;
      // The customer of a payment in progress must still exist.
      if (await checkoutRepository.hasPaymentInProgress(db, subscriber.id)) throw new AppError('unavailable');
      const deleted = new Set<string>();
      await subscriptions.cancelAll(subscriber.id);
      for (const { customer, ...checkout } of await checkoutRepository.findCustomers(db, subscriber.id)) {
        // The cards of a customer must not stay there, unless it was a sandbox that is gone.
        if (isAccepted(gateways, checkout)) await requireGateway(gateways, checkout).deleteCustomer(customer);
        deleted.add(customer);
      }
      await db.transaction().execute(async (tx) => {
        await subscriberRepository.lock(tx, subscriber.id);
        const hasPaymentInProgress = await checkoutRepository.hasPaymentInProgress(tx, subscriber.id);
        const known = await checkoutRepository.findCustomers(tx, subscriber.id);
        const isBuying = known.some(({ customer }) => !deleted.has(customer));
        // Something was bought in between; the repeated request ends it.
        if (hasPaymentInProgress || isBuying || (await subscriptions.findManaged(subscriber.id, tx)))
          throw new AppError('unavailable');
        await subscriberRepository.anonymize(tx, subscriber.id, clock());
      });
      return true;
    },
  };
}

type ManagementService = ReturnType<typeof createManagementService>;

interface ManagementRouteDeps {
  authenticate: Keyring;
  subscribers: SubscriberService;
  management: ManagementService;
  purchaseTokens: PurchaseTokens;
}

/** Registers the endpoints for servers, which authenticate with the secret key. Errors have the protocol's envelope. */
export function registerManagement(
  app: FastifyInstance,
  { authenticate, subscribers, management, purchaseTokens }: ManagementRouteDeps,
): void {
  const route = createRouter(app, {
    authenticate: async (request) => {
      if (authenticate(request).kind !== 'secret') throw billingErrors.wrongKeyKind();
      return { id: 'server' };
    },
  });
  route(billingApi.findManagement).handle(({ params }) => management.find(params.appUserId));
  route(billingApi.cancel).handle(({ params }) => management.cancel(params.appUserId));
  route(billingApi.resume).handle(({ params }) => management.resume(params.appUserId));
  route(billingApi.choosePlan).handle(({ params, body }) =>
    management.choosePlan(params.appUserId, body.product),
  );
  route(billingApi.pay).handle(({ params }) => management.pay(params.appUserId));
  route(billingApi.createCardSetup).handle(({ params }) => management.createCardSetup(params.appUserId));
  route(billingApi.replaceCard).handle(({ params, body }) =>
    management.replaceCard(params.appUserId, body.setup),
  );
  route(billingApi.createPurchaseToken).handle(async ({ params }) => {
    const { subscriber } = await subscribers.findOrCreate(params.appUserId);
    return { token: await purchaseTokens.create(subscriber) };
  });
  route(billingApi.findReceipts).handle(async ({ params }) => ({
    docs: await management.listReceipts(params.appUserId),
  }));
  route(billingApi.refund).handle(({ params }) => management.refund(params.appUserId, params.receipt));
  route(billingApi.deleteSubscriber).handle(async ({ params }) => {
    if (!(await management.deleteSubscriber(params.appUserId))) throw billingErrors.subscriberNotFound();
    return { app_user_id: params.appUserId, deleted: true };
  });
}
