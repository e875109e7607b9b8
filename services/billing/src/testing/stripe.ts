import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyReply } from 'fastify';
import Stripe from 'stripe';
import { afterAll } from 'vitest';

type Thing = Record<string, unknown> & { id: string };

export const stripeKeys = {
  secretKey: 'sk_live_of_the_tests',
  publishableKey: 'pk_live_of_the_tests',
  accountId: 'acct_of_the_tests',
  webhookSecret: 'whsec_of_the_tests',
};

const idOf = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;

/**
 * A server that speaks the part of Stripe's API that we use, for its own library: customers, set-ups, payments, refunds,
 * prices and disputes, with idempotency keys as Stripe keeps them. What its cards do is set from outside.
 */
export async function startStripe() {
  const things = new Map<string, Thing>();
  const answered = new Map<string, { sent: string; status: number; body: object }>();
  const conduct: {
    decline: string | undefined;
    /** Why cards of a customer are declined, where that is not what is said of all. */
    declines: Map<string, string>;
    processing: boolean;
    broken: number;
    afterPayment: (() => void) | undefined;
  } = {
    declines: new Map(),
    ...{ decline: undefined, processing: false, broken: 0, afterPayment: undefined },
  };
  const asked: string[] = [];
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body);

  const all = (object: string) => [...things.values()].filter((thing) => thing.object === object);
  const keep = <T extends Thing>(thing: T): T => {
    things.set(thing.id, thing);
    return thing;
  };
  const missing = {
    error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' },
  };

  function pay(fields: Record<string, unknown>): { status: number; body: object } {
    const { processing } = conduct;
    const decline = conduct.declines.get(String(fields.customer)) ?? conduct.decline;
    const status = decline ? 'requires_payment_method' : processing ? 'processing' : 'succeeded';
    const asksOwner = decline === 'authentication_required';
    const code = asksOwner ? decline : 'card_declined';
    const error = { type: 'card_error', code, decline_code: decline, message: 'Declined' };
    const intent = keep({
      ...{ id: idOf('pi'), object: 'payment_intent', ...fields, amount: Number(fields.amount), status },
      client_secret: `${idOf('pi')}_secret`,
      last_payment_error: decline ? error : null,
    });
    return decline
      ? { status: 402, body: { error: { ...error, payment_intent: intent } } }
      : { status: 200, body: intent };
  }

  function stopped(id: string): { status: number; body: object } {
    const intent = things.get(id);
    if (!intent) return { status: 404, body: missing };
    if (intent.status === 'succeeded') return { status: 400, body: missing };
    return { status: 200, body: keep({ ...intent, status: 'canceled' }) };
  }

  function made(path: string, fields: Record<string, unknown>): { status: number; body: object } {
    switch (path) {
      case '/v1/customers':
        return {
          status: 200,
          body: keep({ id: idOf('cus'), object: 'customer', ...fields }),
        };
      case '/v1/setup_intents': {
        const id = idOf('seti');
        const status = 'requires_payment_method';
        return {
          status: 200,
          body: keep({
            id,
            object: 'setup_intent',
            client_secret: `${id}_secret`,
            payment_method: null,
            ...fields,
            status,
          }),
        };
      }
      case '/v1/payment_intents':
        return pay(fields);
      case '/v1/refunds':
        return {
          status: 200,
          body: keep({ id: idOf('re'), object: 'refund', ...fields, status: 'succeeded' }),
        };
      default:
        return stopped(/^\/v1\/payment_intents\/(\w+)\/cancel$/.exec(path)?.[1] ?? '');
    }
  }

  /** Stripe's way to write objects in forms: `metadata[charge]=k`. */
  function fieldsOf(form: string): Record<string, unknown> {
    const fields: Record<string, unknown> & { metadata: Record<string, string> } = { metadata: {} };
    for (const [name, value] of new URLSearchParams(form)) {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
      if (key) fields.metadata[key] = value;
      else fields[name] = value;
    }
    return fields;
  }

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

  app.post('/v1/*', async (request, reply: FastifyReply) => {
    const sent = String(request.body ?? '');
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' ? answered.get(key) : undefined;
    if (known && known.sent !== sent) {
      return reply
        .status(400)
        .send({ error: { type: 'idempotency_error', message: 'Keys are for one request' } });
    }
    const answer = known ?? { sent, ...made(request.url, fieldsOf(sent)) };
    if (typeof key === 'string') answered.set(key, answer);
    if (!known && request.url === '/v1/payment_intents') conduct.afterPayment?.();
    return reply.status(answer.status).send(answer.body);
  });

  app.get<{ Querystring: Record<string, string> }>('/v1/*', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const list = (data: Thing[]) => ({ object: 'list', data, has_more: false, url: path });
    if (path === '/v1/payment_intents') {
      return list(all('payment_intent').filter(({ customer }) => customer === request.query.customer));
    }
    if (path === '/v1/prices') return list(all('price'));
    const thing = things.get(path.split('/').at(-1) ?? '');
    const about = things.get(String(thing?.payment_intent));
    if (about && request.url.includes('expand')) return { ...thing, payment_intent: about };
    return thing ?? reply.status(404).send(missing);
  });

  app.delete<{ Params: { id: string } }>('/v1/customers/:id', async (request, reply) => {
    if (!things.delete(request.params.id)) return reply.status(404).send(missing);
    return { id: request.params.id, object: 'customer', deleted: true };
  });

  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  afterAll(() => app.close());
  const { webhooks } = new Stripe(stripeKeys.secretKey);

  /** An event as Stripe sends it. In: its type, what it is about, when it was signed. */
  function eventOf(type: string, object: object, at: Date, secret = stripeKeys.webhookSecret) {
    const payload = JSON.stringify({ id: idOf('evt'), object: 'event', type, data: { object } });
    const timestamp = Math.floor(at.getTime() / 1000);
    return { payload, signature: webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
  }

  /** Fills the card form of a set-up. Out: the set-up. */
  function confirm(clientSecret: string): Thing {
    const setup = all('setup_intent').find((thing) => thing.client_secret === clientSecret);
    if (!setup) throw new Error('There is no such set-up');
    return keep({ ...setup, status: 'succeeded', payment_method: idOf('pm') });
  }

  const find = (id: string) => things.get(id);

  const change = (id: string, changes: object) => {
    const thing = things.get(id);
    if (!thing) throw new Error(`There is no ${id}`);
    return keep({ ...thing, ...changes });
  };

  /** Forgets customers and all that is theirs. */
  function forget(customers: ReadonlySet<string>): void {
    const gone = new Set(
      [...things.values()].flatMap(({ id, customer }) =>
        customers.has(id) || customers.has(String(customer)) ? [id] : [],
      ),
    );
    for (const { id, payment_intent: about } of things.values()) if (gone.has(String(about))) gone.add(id);
    for (const id of gone) things.delete(id);
    for (const [key, { body }] of answered)
      if ('id' in body && gone.has(String(body.id))) answered.delete(key);
  }

  const options = {
    ...stripeKeys,
    address: { protocol: 'http', host: address.hostname, port: Number(address.port) } as const,
  };
  return { options, conduct, asked, all, find, keep, change, eventOf, confirm, forget };
}
