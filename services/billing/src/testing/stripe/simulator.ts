import { addCleanup } from '@escucho/database/testing';
import Stripe from 'stripe';
import { createAccount, createId } from './account.ts';
import { createClock } from './clock.ts';
import { createCustomers, customerRoutes } from './customers.ts';
import { createInvoices } from './invoices.ts';
import type { ObjectType, StripeObjects } from './objects.ts';
import { createPayments, paymentRoutes } from './payments.ts';
import { createPortal, portalRoutes } from './portal.ts';
import { createPrices, priceRoutes } from './prices.ts';
import { createSchedules, scheduleRoutes } from './schedules.ts';
import { createSerializer, createStripeServer } from './server.ts';
import { invoiceRoutes, subscriptionRoutes } from './subscription-routes.ts';
import { createSubscriptions } from './subscriptions.ts';

export const stripeKeys = {
  secretKey: 'sk_live_of_the_tests',
  publishableKey: 'pk_live_of_the_tests',
  accountId: 'acct_of_the_tests',
  webhookSecret: 'whsec_of_the_tests',
};

type StripeObject = Record<string, unknown> & { id: string };

/**
 * Starts a simulator of the subset of Stripe's API that the service uses, with idempotency keys. Tests set how its cards
 * behave and advance its time, which is never behind `clock`. `secretKey` decides between live and test mode.
 */
export async function startStripeSimulator({
  clock = () => new Date('2026-11-20T10:00:00Z'),
  secretKey = stripeKeys.secretKey,
} = {}) {
  const account = createAccount(clock);
  const { behavior, objects } = account;
  const payments = createPayments(account);
  const invoices = createInvoices(account, payments);
  const subscriptions = createSubscriptions(account, payments, invoices);
  const schedules = createSchedules(account, subscriptions);
  const customers = createCustomers(account, subscriptions);
  const { app, requests, forgetResponses } = createStripeServer({
    account,
    routes: [
      ...customerRoutes(account, customers),
      ...priceRoutes(account, createPrices(account)),
      ...subscriptionRoutes(account, subscriptions),
      ...scheduleRoutes(account, schedules),
      ...invoiceRoutes(account, invoices),
      ...paymentRoutes(account, payments),
      ...portalRoutes(account, createPortal(account)),
    ],
    serialize: createSerializer(account, invoices),
    secretKey,
  });
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  addCleanup(() => app.close());
  const options = {
    ...stripeKeys,
    secretKey,
    address: { protocol: 'http', host: address.hostname, port: Number(address.port) } as const,
  };
  /** Stripe's own library against the simulator: what somebody does in Stripe's dashboard or portal. */
  const client = new Stripe(secretKey, {
    ...options.address,
    maxNetworkRetries: 0,
    telemetry: false,
  });

  const isObjectType = (type: string): type is ObjectType => type in objects;
  const list = (type: string): StripeObject[] =>
    isObjectType(type) ? account.list(type).map((object) => ({ ...object })) : [];
  const find = (id: string) =>
    Object.keys(objects)
      .flatMap(list)
      .find((object) => object.id === id);

  /** Completes a payment that is processing or waits for its owner. `reason`: why it failed, if it did. */
  function completePayment(payment: string, reason?: string): StripeObjects['payment_intent'] {
    const intent = account.get('payment_intent', payment);
    if (reason) payments.decline(intent, reason, intent.payment_method ?? '');
    else payments.succeed(intent);
    const invoicePayment = account
      .list('invoice_payment')
      .find(({ payment: { payment_intent: id } }) => id === payment);
    const invoice = account.find('invoice', invoicePayment?.invoice ?? null);
    if (invoice) invoices.applyPayment(invoice, intent);
    return intent;
  }

  /** Creates the body and the signature of a webhook request. `at`: when it is signed. */
  function createEvent(
    type: string,
    object: object,
    at: Date,
    secret = stripeKeys.webhookSecret,
    id = createId('evt'),
  ) {
    const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
    const timestamp = Math.floor(at.getTime() / 1000);
    return { payload, signature: client.webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
  }

  /** Removes customers and everything that belongs to them, so that long test runs stay small. */
  function removeCustomers(removed: ReadonlySet<string>): void {
    const ids = new Set<string>();
    for (const stored of Object.values(objects)) {
      for (const [id, object] of stored) {
        const owner = 'customer' in object ? object.customer : undefined;
        if (removed.has(id) || removed.has(String(owner))) ids.add(id);
      }
    }
    for (const stored of Object.values(objects)) {
      for (const [id, object] of stored) {
        const parent =
          'invoice' in object ? object.invoice : 'payment_intent' in object ? object.payment_intent : '';
        if (ids.has(id) || ids.has(parent)) stored.delete(id);
      }
    }
    forgetResponses(ids);
    const others = account.events.filter(({ customer = '' }) => !removed.has(customer));
    account.events.splice(0, Infinity, ...others);
  }

  return {
    options,
    behavior,
    requests,
    client,
    list,
    find,
    removeCustomers,
    createEvent,
    completePayment,
    completeSetup: customers.completeSetup,
    dispute: payments.dispute,
    /** Every event that Stripe would have sent, in order. */
    events: account.events,
    advanceClock: createClock({ account, invoices, subscriptions, schedules }),
  };
}
