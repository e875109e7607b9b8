import { setAuditSource } from '@escucho/audit';
import { AppError } from '@escucho/contracts';
import {
  getBearerToken,
  isEqualInConstantTime,
  RateLimitError,
  sendRetryHeaders,
  toAppError,
  toRoutingError,
} from '@escucho/service-kit';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { BillingError, billingErrors } from '../errors.ts';
import { GatewayError } from '../gateways/gateway.ts';
import type { Environment } from '../subscribers/policy.ts';
import { PURCHASE_TOKEN_HEADER } from '../tokens.ts';

/** A non-empty line of text. */
export const text = (max: number) =>
  z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[^\p{Cc}]*$/u));

/** Parses input. Throws 7226 that names the invalid fields, never their content. */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const fields = new Set(result.error.issues.map((issue) => issue.path.join('.') || 'body'));
  throw billingErrors.badRequest(`Not usable: ${[...fields].join(', ')}.`);
}

/** The API keys of one installation. Public keys are in every page; the secret key is for servers. */
export interface BillingKeys {
  /** `rcb_sb_…`, for the sandbox; without it the sandbox cannot be used. */
  sandbox?: string;
  /** `rcb_…`, for real money. */
  production?: string;
  /** `sk_…` */
  secret: string;
}

/** Who sent a request, by its key: a page or a server. */
export type Caller = { kind: 'public'; environment: Environment } | { kind: 'secret' };

/** Creates the function that identifies the caller by the bearer key. Throws 7225 for an unknown key. */
export function createKeyring({ sandbox, production, secret }: BillingKeys) {
  const known: [key: string, caller: Caller][] = [[secret, { kind: 'secret' }]];
  if (sandbox) known.push([sandbox, { kind: 'public', environment: 'sandbox' }]);
  if (production) known.push([production, { kind: 'public', environment: 'production' }]);
  return (request: FastifyRequest): Caller => {
    const key = getBearerToken(request) ?? '';
    const caller = known.find(([expected]) => isEqualInConstantTime(expected, key))?.[1];
    if (!caller) throw billingErrors.invalidKey();
    if (caller.kind === 'secret') setAuditSource('admin', 'billing key');
    return caller;
  };
}

export type Keyring = ReturnType<typeof createKeyring>;

const requestHeaders = [
  'authorization',
  'content-type',
  'accept',
  'x-platform',
  'x-version',
  'x-is-sandbox',
  PURCHASE_TOKEN_HEADER,
];

/** Converts a thrown error to an error of the protocol; undefined for a server error. */
function toBillingError(error: Error | FastifyError): BillingError | undefined {
  if (error instanceof BillingError) return error;
  if (error instanceof RateLimitError) return billingErrors.tooManyRequests();
  const { status } = toAppError(error);
  if (status >= 500) return undefined;
  return status === 404
    ? billingErrors.notFound()
    : billingErrors.badRequest('The request is not understood.', status);
}

const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.status(status).type('application/json').serializer(JSON.stringify).send(body);

function sendError({ code, status, message, reason }: BillingError, reply: FastifyReply): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return sendJson(reply, status, { code, message, reason });
}

function sendRoutingError(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isKnownPath = toRoutingError(request, reply).code === 'method_not_allowed';
  return sendError(isKnownPath ? billingErrors.methodNotAllowed() : billingErrors.notFound(), reply);
}

/**
 * Registers the envelope of every response: errors as `{code, message}`, and CORS headers for pages of any origin. Clients
 * ignore the code of a server error, so it has none.
 */
export function registerEnvelope(app: FastifyInstance): void {
  const commonHeaders = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after, ratelimit, ratelimit-policy',
    'cache-control': 'no-store',
  };
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(commonHeaders);
  });
  // A malformed URL is answered before any hook runs.
  app.urlErrorResponders.set(app.prefix, ({ status }, _request, reply) =>
    sendError(
      billingErrors.badRequest('The address is not understood.', status),
      reply.headers(commonHeaders),
    ),
  );
  app.options('/*', { schema: { hide: true } }, (_request, reply) =>
    reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': requestHeaders.join(', '),
        'access-control-max-age': '86400',
      })
      .send(),
  );
  // The app that mounts the service may have a fallback route of its own.
  app.get('/*', { schema: { hide: true } }, sendRoutingError);
  app.setErrorHandler<FastifyError | BillingError>((error, request, reply) => {
    const refused = toBillingError(error);
    // Clients repeat what the gateway could not decide, and Stripe its events.
    const appError =
      error instanceof GatewayError ? new AppError('unavailable', { cause: error }) : toAppError(error);
    sendRetryHeaders(reply, appError);
    if (refused) return sendError(refused, reply);
    request.log.error({ err: error }, 'billing call failed');
    const message = appError.status === 503 ? 'Service unavailable.' : 'Internal server error.';
    return sendJson(reply, appError.status, { message });
  });
  app.setNotFoundHandler(sendRoutingError);
}
