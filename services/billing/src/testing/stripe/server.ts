import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Account } from './account.ts';
import type { Call } from './calls/call.ts';
import { readForm } from './forms.ts';
import { impossible, Refusal } from './refusal.ts';

/** How long Stripe remembers what it answered to a key, in seconds. */
const REMEMBERED = 24 * 3600;

const fault = { error: { type: 'api_error', message: 'Something broke' } };

interface Answer {
  sent: string;
  at: number;
  status: number;
  body: object;
}

interface Parts {
  account: Account;
  calls: readonly Call[];
  /** A thing as it is served. */
  expanded: (thing: object, paths: readonly string[]) => object;
  /** The bearer that requests carry. */
  secretKey: string;
}

/**
 * Answers calls by HTTP, with idempotency keys as Stripe keeps them. `asked`: every request that came, as `METHOD path`;
 * `forget`: what was answered about things of these ids is answered no more.
 */
export function stripeServer({ account, calls, expanded, secretKey }: Parts) {
  const { conduct } = account;
  const answered = new Map<string, Answer>();
  const asked: string[] = [];
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body);

  app.addHook('onRequest', async (request, reply) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return reply.status(401).send({ error: { type: 'invalid_request_error', message: 'Invalid API Key' } });
    }
    if (conduct.broken > 0) {
      conduct.broken -= 1;
      return reply.status(500).send(fault);
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
    const isUndecided = key !== undefined && conduct.undecided === call.path;
    const made = isUndecided
      ? { status: 500, body: fault, isKept: true }
      : outcome(call, form, request.params.id ?? '');
    if (key !== undefined && made.isKept) answered.set(key, { sent, at: account.now(), ...made });
    if (account.tried > before) conduct.afterPayment?.();
    return reply.status(made.status).send(made.body);
  }

  const noSuch = (path: string) => impossible(`Unrecognized request URL (${path}).`);
  for (const call of calls) {
    app.route<{ Params: { id?: string } }>({
      ...{ method: call.method, url: call.path },
      handler: (request, reply) => answer(call, request, reply),
    });
  }
  app.setNotFoundHandler((request, reply) => reply.status(404).send({ error: noSuch(request.url).error }));

  function forget(ids: ReadonlySet<string>): void {
    for (const [key, { body }] of answered)
      if ('id' in body && ids.has(String(body.id))) answered.delete(key);
  }

  return { app, asked, forget };
}
