import { AppError, type ErrorBody, type ErrorCode, limits } from '@escucho/contracts';
import { isMissingReference, isTransientError, isUnstorableText } from '@escucho/database';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageFor, negotiateLanguage } from './language.ts';
import { sendRetryHeaders } from './rate-limits/routes.ts';

/** Codes of errors that Fastify raises before a handler runs, by status. */
const codeOfStatus: Record<number, ErrorCode> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'invalid_request',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  429: 'too_many_requests',
  503: 'unavailable',
};

/**
 * Converts a thrown value to an `AppError`: client errors by their status, a database that is overloaded or restarts to
 * `unavailable`, a reference to what was deleted meanwhile to `not_found`, anything unknown to `internal`.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  // Fastify gives 400 to the ECONNRESET of a client that ends the connection while it sends a body.
  if (status >= 500 && isTransientError(error)) return new AppError('unavailable', { cause: error });
  if (isMissingReference(error)) return new AppError('not_found', { cause: error });
  if (isUnstorableText(error)) return new AppError('invalid_request', { cause: error });
  const code = codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'invalid_request' : 'internal');
  return new AppError(code, { cause: error });
}

/** Builds the body of an error response, with messages in the language of the request. */
export function toErrorBody(error: AppError, request: FastifyRequest): ErrorBody {
  const language = negotiateLanguage(request.headers['accept-language']);
  const fields = error.fields.map((field) => ({ ...field, message: messageFor(language, field.code) }));
  return {
    error: {
      code: error.code,
      message: messageFor(language, error.code),
      ...(fields.length > 0 && { fields }),
      requestId: request.id,
    },
  };
}

/** Sends an error in the format of a protocol. */
export type ErrorResponder = (error: AppError, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Returns the challenge of a 401 response; an old sign-in gets the one of RFC 9470. */
const toChallenge = (code: ErrorCode): string =>
  code === 'reauthentication_required'
    ? `Bearer error="insufficient_user_authentication", max_age=${limits.recentSignIn.maxAgeSeconds}`
    : 'Bearer';

/** Sends an error as the API's error body, which no cache may keep; server errors are logged. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.status >= 500) request.log.error({ err: error.cause ?? error }, 'request failed');
  if (error.status === 401) reply.header('www-authenticate', toChallenge(error.code));
  sendRetryHeaders(reply, error);
  return reply
    .status(error.status)
    .serializer(JSON.stringify)
    .type('application/json')
    .header('cache-control', 'no-store')
    .send(toErrorBody(error, request));
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the methods of the route with a path, in alphabetical order; empty for an unknown path. */
    findMethods(path: string): string[];
  }
}

/** Converts a route's path with parameters as whole segments (`/playlists/:id`) to a pattern. */
const toPathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\/:[^/]+/g, '/[^/]+')}$`);

/** Records the methods of every route. Routes with wildcards match unknown paths as well, and do not count. */
function registerFindMethods(app: FastifyInstance): void {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const route = routes.get(url) ?? { pattern: toPathPattern(url), methods: new Set() };
    routes.set(url, route);
    for (const each of [method].flat()) route.methods.add(each);
  });
  app.decorate('findMethods', (path: string) => {
    const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  });
}

/**
 * Returns the error of a request that no route handles: `method_not_allowed`, with the header Allow, where the path has
 * routes for other methods (RFC 9110, section 15.5.6), otherwise `not_found`. For not-found handlers and wildcard routes.
 */
export function toRoutingError(request: FastifyRequest, reply: FastifyReply): AppError {
  const methods = request.server.findMethods(request.url.split('?', 1)[0] ?? '');
  if (methods.length === 0 || methods.includes(request.method)) return new AppError('not_found');
  reply.header('allow', methods.join(', '));
  return new AppError('method_not_allowed');
}

/** Installs the error handler and the not-found handler of an app. */
export function registerErrorHandler(app: FastifyInstance): void {
  registerFindMethods(app);
  app.setErrorHandler<FastifyError | AppError>((error, request, reply) =>
    sendError(toAppError(error), request, reply),
  );
  app.setNotFoundHandler((request, reply) => sendError(toRoutingError(request, reply), request, reply));
}
