import Stripe from 'stripe';
import { afterAll } from 'vitest';
import { idOf, type Kind, type Kinds, openAccount } from './account.ts';
import { callsOf } from './calls.ts';
import { customersOf } from './customers.ts';
import { expander } from './expand.ts';
import { invoicesOf } from './invoices.ts';
import { paymentsOf } from './payments.ts';
import { portalOf } from './portal.ts';
import { pricesOf } from './prices.ts';
import { schedulesOf } from './schedules.ts';
import { stripeServer } from './server.ts';
import { subscriptionsOf } from './subscriptions.ts';
import { passing } from './time.ts';

export const stripeKeys = {
  secretKey: 'sk_live_of_the_tests',
  publishableKey: 'pk_live_of_the_tests',
  accountId: 'acct_of_the_tests',
  webhookSecret: 'whsec_of_the_tests',
};

/** Anything that the account holds. */
type Thing = Record<string, unknown> & { id: string };

/**
 * A server that speaks the part of Stripe's API that we use, for its own library, with idempotency keys as Stripe keeps
 * them. What its cards do is set from outside, and time passes there when it is told to. In: the clock, by which it is at
 * least as late.
 */
export async function startStripe({ clock = () => new Date('2026-11-20T10:00:00Z') } = {}) {
  const account = openAccount(clock);
  const { conduct } = account;
  const payments = paymentsOf(account);
  const invoices = invoicesOf(account, payments);
  const subscriptions = subscriptionsOf(account, payments, invoices);
  const schedules = schedulesOf(account, subscriptions);
  const customers = customersOf(account, subscriptions);
  const prices = pricesOf(account);
  const portal = portalOf(account);
  const calls = callsOf({
    ...{ account, customers, invoices, payments, portal, prices, schedules, subscriptions },
  });
  const expanded = expander(account, invoices);
  const { app, asked, ...server } = stripeServer({
    account,
    calls,
    expanded,
    secretKey: stripeKeys.secretKey,
  });
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  afterAll(() => app.close());
  const options = {
    ...stripeKeys,
    address: { protocol: 'http', host: address.hostname, port: Number(address.port) } as const,
  };
  /** Stripe's own library, at this server: what somebody does in Stripe's dashboard or portal. */
  const client = new Stripe(stripeKeys.secretKey, {
    ...{ ...options.address, maxNetworkRetries: 0, telemetry: false },
  });

  const isKind = (object: string): object is Kind => object in account.kept;
  const all = (object: string): Thing[] =>
    isKind(object) ? account.list(object).map((thing) => ({ ...thing })) : [];
  const find = (id: string) =>
    Object.keys(account.kept)
      .flatMap(all)
      .find((thing) => thing.id === id);

  /** A payment on its way ends, or its owner does what the bank asks. In: its id; why it failed, if it did. */
  function settle(payment: string, reason?: string): Kinds['payment_intent'] {
    const intent = account.get('payment_intent', payment);
    if (reason) payments.decline(intent, reason, intent.payment_method ?? '');
    else payments.succeed(intent);
    const paying = account
      .list('invoice_payment')
      .find(({ payment: { payment_intent: id } }) => id === payment);
    const invoice = account.find('invoice', paying?.invoice ?? null);
    if (invoice) invoices.settled(invoice, intent);
    return intent;
  }

  /** An event as Stripe sends it. In: its type, what it is about, when it was signed. */
  function eventOf(
    type: string,
    object: object,
    at: Date,
    secret = stripeKeys.webhookSecret,
    id = idOf('evt'),
  ) {
    const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
    const timestamp = Math.floor(at.getTime() / 1000);
    return { payload, signature: client.webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
  }

  /** Forgets customers and all that is theirs. */
  function forget(gone: ReadonlySet<string>): void {
    const theirs = new Set<string>();
    for (const things of Object.values(account.kept)) {
      for (const [id, thing] of things) {
        const owner = 'customer' in thing ? thing.customer : undefined;
        if (gone.has(id) || gone.has(String(owner))) theirs.add(id);
      }
    }
    for (const things of Object.values(account.kept)) {
      for (const [id, thing] of things) {
        const of = 'invoice' in thing ? thing.invoice : 'payment_intent' in thing ? thing.payment_intent : '';
        if (theirs.has(id) || theirs.has(of)) things.delete(id);
      }
    }
    server.forget(theirs);
    account.events.splice(0, Infinity, ...account.events.filter(({ customer = '' }) => !gone.has(customer)));
  }

  return {
    ...{ options, conduct, asked, client, all, find, forget, eventOf, settle },
    /** Fills the card form of a set-up. Out: the set-up. */
    confirm: (clientSecret: string) => customers.fillIn(clientSecret),
    dispute: payments.dispute,
    /** Everything that Stripe would have told, in order. */
    events: account.events,
    /** Lets time pass, for everybody or for one customer. */
    pass: passing({ account, invoices, subscriptions, schedules }),
  };
}
