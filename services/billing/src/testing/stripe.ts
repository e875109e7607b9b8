import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import Stripe from 'stripe';
import { afterAll } from 'vitest';
import { idOf, type Kind, type Kinds, openAccount } from './stripe/account.ts';
import { type Call, callsOf } from './stripe/calls.ts';
import { chargesByKey, type Thing } from './stripe/charges-by-key.ts';
import { customersOf } from './stripe/customers.ts';
import { expander } from './stripe/expand.ts';
import { readForm } from './stripe/forms.ts';
import { invoicesOf } from './stripe/invoices.ts';
import { paymentsOf } from './stripe/payments.ts';
import { portalOf } from './stripe/portal.ts';
import { pricesOf } from './stripe/prices.ts';
import { impossible, Refusal } from './stripe/refusal.ts';
import { schedulesOf } from './stripe/schedules.ts';
import { subscriptionsOf } from './stripe/subscriptions.ts';
import { passing } from './stripe/time.ts';

export const stripeKeys = {
  secretKey: 'sk_live_of_the_tests',
  publishableKey: 'pk_live_of_the_tests',
  accountId: 'acct_of_the_tests',
  webhookSecret: 'whsec_of_the_tests',
};

/** How long Stripe remembers what it answered to a key, in seconds. */
const REMEMBERED = 24 * 3600;

interface Answer {
  sent: string;
  at: number;
  status: number;
  body: object;
}

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
  const byKey = chargesByKey(conduct);
  const answered = new Map<string, Answer>();
  const asked: string[] = [];
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body);

  app.addHook('onRequest', async (request, reply) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.headers.authorization !== `Bearer ${stripeKeys.secretKey}`) {
      return reply.status(401).send({ error: { type: 'invalid_request_error', message: 'Invalid API Key' } });
    }
    if (conduct.broken > 0) {
      conduct.broken -= 1;
      return reply.status(500).send({ error: { type: 'api_error', message: 'Something broke' } });
    }
  });

  /** What a call comes to. `isKept`: under its key it is answered the same again. */
  function outcome(call: Call, form: Record<string, unknown>, id: string) {
    const { expand, ...fields } = form;
    const paths = Array.isArray(expand) ? expand.map(String) : [];
    try {
      return { status: 200, body: expanded(call.answer(fields, id), paths), isKept: true };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { error: error.error }, isKept: error.status === 402 };
    }
  }

  function replayed(key: string | undefined): Answer | undefined {
    const known = key === undefined ? undefined : answered.get(key);
    return known && account.now() - known.at <= REMEMBERED ? known : undefined;
  }

  async function answer(
    call: Call,
    request: FastifyRequest<{ Params: { id?: string } }>,
    reply: FastifyReply,
  ) {
    const [path = '', query = ''] = request.url.split('?');
    const sent = `${path}?${String(request.body ?? '')}`;
    const header = request.headers['idempotency-key'];
    const key = typeof header === 'string' && request.method === 'POST' ? header : undefined;
    const known = replayed(key);
    if (known && known.sent !== sent) {
      const error = { type: 'idempotency_error', message: 'Keys are for one request' };
      return reply.status(400).send({ error });
    }
    if (known) return reply.status(known.status).header('idempotent-replayed', 'true').send(known.body);
    const form = readForm(request.method === 'POST' ? String(request.body ?? '') : query);
    const before = account.tried;
    const plain = byKey.answer(request.method, path, form);
    const made = plain ? { ...plain, isKept: true } : outcome(call, form, request.params.id ?? '');
    if (key !== undefined && made.isKept) answered.set(key, { sent, at: account.now(), ...made });
    if (account.tried > before || path === '/v1/payment_intents') conduct.afterPayment?.();
    return reply.status(made.status).send(made.body);
  }

  const noSuch = (path: string) => impossible(`Unrecognized request URL (${path}).`);
  // Answered by `byKey`, always.
  calls.push({ method: 'POST', path: '/v1/payment_intents', answer: () => ({}) });
  for (const call of calls) {
    app.route<{ Params: { id?: string } }>({
      ...{ method: call.method, url: call.path },
      handler: (request, reply) => answer(call, request, reply),
    });
  }
  app.setNotFoundHandler((request, reply) => reply.status(404).send({ error: noSuch(request.url).error }));

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
  const typed = (object: string): Thing[] =>
    isKind(object) ? account.list(object).map((thing) => ({ ...thing })) : [];
  const all = (object: string): Thing[] => [...byKey.all(object), ...typed(object)];
  const find = (id: string) =>
    byKey.things.get(id) ??
    Object.keys(account.kept)
      .flatMap(typed)
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

  const change = (id: string, changes: object): Thing => {
    const thing = byKey.things.get(id);
    if (!thing) throw new Error(`There is no ${id}`);
    return byKey.keep({ ...thing, ...changes });
  };

  /** Forgets customers and all that is theirs. */
  function forget(gone: ReadonlySet<string>): void {
    const theirs = new Set<string>();
    for (const [id, { customer, payment_intent: about }] of byKey.things)
      if (gone.has(String(customer)) || theirs.has(String(about))) theirs.add(id);
    for (const id of theirs) byKey.things.delete(id);
    for (const things of Object.values(account.kept)) {
      for (const [id, thing] of things) {
        const owner = 'customer' in thing ? thing.customer : undefined;
        if (gone.has(id) || gone.has(String(owner))) theirs.add(id);
      }
    }
    for (const things of Object.values(account.kept)) {
      for (const [id, thing] of things) {
        const of = 'invoice' in thing ? thing.invoice : 'payment_intent' in thing ? thing.payment_intent : '';
        if (gone.has(id) || theirs.has(id) || theirs.has(of)) things.delete(id);
      }
    }
    for (const [key, { body }] of answered)
      if ('id' in body && (gone.has(String(body.id)) || theirs.has(String(body.id)))) answered.delete(key);
    account.events.splice(0, Infinity, ...account.events.filter(({ customer = '' }) => !gone.has(customer)));
  }

  return {
    ...{ options, conduct, asked, client, all, find, keep: byKey.keep, change, forget, eventOf, settle },
    /** Fills the card form of a set-up. Out: the set-up. */
    confirm: (clientSecret: string) => customers.fillIn(clientSecret),
    dispute: payments.dispute,
    /** Everything that Stripe would have told, in order. */
    events: account.events,
    /** Lets time pass, for everybody or for one customer. */
    pass: passing({ account, invoices, subscriptions, schedules }),
  };
}
