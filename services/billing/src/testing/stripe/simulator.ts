import { addCleanup } from '@escucho/database/testing';
import Stripe from 'stripe';
import { createAccount, createId, StripeApiError, toUnixTime } from './account.ts';
import { createCustomers, createPortalRoutes } from './customers.ts';
import { createInvoices } from './invoices.ts';
import type { ObjectType, StripeObjects } from './objects.ts';
import { createPayments } from './payments.ts';
import { createPriceRoutes } from './prices.ts';
import { createSchedules } from './schedules.ts';
import { createSerializer, createStripeServer } from './server.ts';
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
      ...customers.routes,
      ...createPriceRoutes(account),
      ...subscriptions.routes,
      ...schedules.routes,
      ...invoices.routes,
      ...payments.routes,
      ...createPortalRoutes(account),
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

  /** Finalizes and pays an invoice as Stripe does by itself. */
  function collect(invoice: StripeObjects['invoice']): void {
    try {
      if (invoice.status === 'draft') invoices.finalize(invoice);
      invoice.next_payment_attempt = null;
      if (invoice.status === 'open' && invoices.findIntent(invoice)?.status !== 'processing')
        invoices.collect(invoice);
    } catch (error) {
      // There is no request to answer that the customer has no card: the invoice stays open.
      if (!(error instanceof StripeApiError)) throw error;
    }
  }

  /** Lists what Stripe does by itself and when, in the order in which it acts where several fall on one moment. */
  function listActions(isSelected: (customer: string) => boolean) {
    const actions: { at: number; run: () => void }[] = [];
    const add = (owner: string, at: number | null | undefined, run: () => void) => {
      if (typeof at === 'number' && isSelected(owner)) actions.push({ at, run });
    };
    for (const each of account.list('subscription_schedule'))
      add(each.customer, schedules.getDueAt(each), () => schedules.processDue(each));
    for (const each of account.list('subscription'))
      add(each.customer, subscriptions.getDueAt(each), () => subscriptions.processDue(each));
    for (const each of account.list('invoice').filter(({ auto_advance }) => auto_advance)) {
      if (each.status === 'draft') add(each.customer, each.automatically_finalizes_at, () => collect(each));
      if (each.status === 'open') add(each.customer, each.next_payment_attempt, () => collect(each));
    }
    return actions;
  }

  /**
   * Advances time, for one customer or for all: periods end, drafts are finalized and paid after an hour, failed payments
   * are retried, subscriptions and schedules end.
   */
  function advanceClock(until: Date, customer?: string): void {
    const target = toUnixTime(until);
    for (;;) {
      const actions = listActions((owner) => customer === undefined || owner === customer);
      const [next] = actions.filter(({ at }) => at <= target).toSorted((one, other) => one.at - other.at);
      account.setTime(next?.at ?? target, customer);
      if (!next) return;
      next.run();
    }
  }

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
  function createEvent(type: string, object: object, at: Date, secret = stripeKeys.webhookSecret) {
    const payload = JSON.stringify({ id: createId('evt'), object: 'event', type, data: { object } });
    const timestamp = toUnixTime(at);
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
    advanceClock,
  };
}
