import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Account, invalidRequest, StripeApiError } from './account.ts';
import type { Invoices } from './invoices.ts';
import { parseForm, type Route } from './routes.ts';

/** How long Stripe stores the response of an idempotency key. */
const IDEMPOTENCY_SECONDS = 24 * 3600;
const MAX_EXPAND_DEPTH = 4;

const serverError = { error: { type: 'api_error', message: 'Something broke' } };

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const toJson = (object: object): Json => JSON.parse(JSON.stringify(object));

/** Creates the function that serializes an object and follows `expand` paths such as `latest_invoice.payments`. */
export function createSerializer(account: Account, invoices: Invoices) {
  function findById(id: string): object | undefined {
    for (const objects of Object.values(account.objects)) {
      const object = objects.get(id);
      if (object) return object;
    }
    return undefined;
  }

  /** Returns a property of an invoice that Stripe only includes on request. */
  function getExpandable(object: Json, name: string): unknown {
    const invoice = account.find('invoice', String(object.id));
    if (!invoice) return undefined;
    if (name === 'payments') {
      const payments = account.list('invoice_payment').filter((each) => each.invoice === invoice.id);
      return { object: 'list', data: payments.map(toJson), has_more: false };
    }
    const intent = invoices.findIntent(invoice);
    if (name !== 'confirmation_secret') return undefined;
    return intent ? { type: 'payment_intent', client_secret: intent.client_secret } : null;
  }

  function expandPath(object: Json, [name = '', ...rest]: string[]): Json {
    if (name === 'data' && Array.isArray(object.data)) {
      return {
        ...object,
        data: object.data.map((each) => (rest.length > 0 ? expandPath(each, rest) : each)),
      };
    }
    let value = name in object ? object[name] : getExpandable(object, name);
    if (value === null) return { ...object, [name]: value };
    if (typeof value === 'string') value = findById(value) && toJson(findById(value) ?? {});
    if (!isObject(value)) throw invalidRequest(`This property cannot be expanded (${name}).`);
    return { ...object, [name]: rest.length > 0 ? expandPath(value, rest) : value };
  }

  return (object: object, paths: readonly string[]): Json =>
    paths.reduce((expanded, path) => {
      const names = path.split('.');
      if (names.length > MAX_EXPAND_DEPTH)
        throw invalidRequest('You cannot expand more than 4 levels of a property.');
      return expandPath(expanded, names);
    }, toJson(object));
}

interface StoredResponse {
  /** The path and body of the request, which the key is bound to. */
  request: string;
  storedAt: number;
  status: number;
  body: object;
}

interface ServerDeps {
  account: Account;
  routes: readonly Route[];
  serialize: ReturnType<typeof createSerializer>;
  /** The bearer token that requests must carry. */
  secretKey: string;
}

/**
 * Creates the HTTP server, with Stripe's idempotency keys. `requests` lists every request as `METHOD path`;
 * `forgetResponses` drops the stored responses about objects.
 */
export function createStripeServer({ account, routes, serialize, secretKey }: ServerDeps) {
  const { behavior } = account;
  const responses = new Map<string, StoredResponse>();
  const requests: string[] = [];
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body);

  app.addHook('onRequest', async (request, reply) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return reply.status(401).send({ error: { type: 'invalid_request_error', message: 'Invalid API Key' } });
    }
    if (behavior.serverErrors > 0) {
      behavior.serverErrors -= 1;
      return reply.status(500).send(serverError);
    }
  });

  /** Stripe stores successes and card errors under the idempotency key; other refusals may be sent again. */
  function run(route: Route, form: Json, id: string) {
    const { expand, ...fields } = form;
    const paths = Array.isArray(expand) ? expand.map(String) : [];
    try {
      return { status: 200, body: serialize(route.handle(fields, id), paths), isStored: true };
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error;
      return { status: error.status, body: { error: error.error }, isStored: error.status === 402 };
    }
  }

  function findStored(key: string | undefined): StoredResponse | undefined {
    const stored = key === undefined ? undefined : responses.get(key);
    return stored && account.now() - stored.storedAt <= IDEMPOTENCY_SECONDS ? stored : undefined;
  }

  async function respond(
    route: Route,
    request: FastifyRequest<{ Params: { id?: string } }>,
    reply: FastifyReply,
  ) {
    const [path = '', query = ''] = request.url.split('?');
    const sent = `${path}?${String(request.body ?? '')}`;
    const header = request.headers['idempotency-key'];
    const key = typeof header === 'string' && request.method === 'POST' ? header : undefined;
    const stored = findStored(key);
    if (stored && stored.request !== sent) {
      const error = { type: 'idempotency_error', message: 'Keys are for one request' };
      return reply.status(400).send({ error });
    }
    if (stored) return reply.status(stored.status).header('idempotent-replayed', 'true').send(stored.body);
    const form = parseForm(request.method === 'POST' ? String(request.body ?? '') : query);
    const attemptsBefore = account.paymentAttempts;
    const isFailing = key !== undefined && behavior.failingPath === route.path;
    const response = isFailing
      ? { status: 500, body: serverError, isStored: true }
      : run(route, form, request.params.id ?? '');
    if (key !== undefined && response.isStored) {
      responses.set(key, { request: sent, storedAt: account.now(), ...response });
    }
    if (account.paymentAttempts > attemptsBefore) behavior.afterPayment?.();
    await behavior.beforeResponse?.(`${request.method} ${path}`);
    return reply.status(response.status).send(response.body);
  }

  for (const route of routes) {
    app.route<{ Params: { id?: string } }>({
      method: route.method,
      url: route.path,
      handler: (request, reply) => respond(route, request, reply),
    });
  }
  app.setNotFoundHandler((request, reply) =>
    reply.status(404).send({ error: invalidRequest(`Unrecognized request URL (${request.url}).`).error }),
  );

  function forgetResponses(ids: ReadonlySet<string>): void {
    for (const [key, { body }] of responses)
      if ('id' in body && ids.has(String(body.id))) responses.delete(key);
  }

  return { app, requests, forgetResponses };
}
