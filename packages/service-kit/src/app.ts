import { randomUUID } from 'node:crypto';
import { registerAuditContext } from '@escucho/audit';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { Registry } from 'prom-client';
import { type ErrorResponder, registerErrorHandler, sendError, toAppError } from './errors.ts';
import { enforceRateLimits, warnOfUntrustedProxy } from './rate-limits/routes.ts';
import { serializerCompiler, validatorCompiler } from './validation.ts';

/** Limits of a request, against clients that send slowly or without end. Times in milliseconds, sizes in bytes. */
export const requestLimits = {
  bodyBytes: 256 * 1024,
  headerBytes: 16 * 1024,
  /** To receive the headers. */
  headersMs: 10_000,
  /** To receive the whole request; responses may take longer. */
  requestMs: 30_000,
  /** Between two requests of a connection: longer than reverse proxies keep one. */
  keepAliveMs: 72_000,
} as const;

/** How often Node looks for requests that take too long. */
const CHECK_INTERVAL_MS = 1000;

const validRequestId = /^[\w-]{8,64}$/;

type HeaderSetter = (request: FastifyRequest, reply: FastifyReply) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Functions that set the headers of all responses. A hook would miss those to malformed URLs. */
    headerSetters: HeaderSetter[];
    /** Responders for malformed URLs, by path prefix, in place of the default error body; the last that matches responds. */
    urlErrorResponders: Map<string, ErrorResponder>;
    /** The metrics of the process, which `registerMetrics` serves. */
    metricsRegistry: Registry;
  }
}

interface AppOptions {
  logger?: FastifyServerOptions['logger'];
  /** The proxies whose forwarded addresses are trusted; none by default. */
  trustProxy?: FastifyServerOptions['trustProxy'];
  /** Whether rate limits of networks also count the requests of this machine; off by default. */
  limitsLoopback?: boolean;
  /** Replaces the time in which a request must have arrived. */
  requestTimeoutMs?: number;
  /** The metrics of the process, where several apps share them. */
  metricsRegistry?: Registry;
}

/**
 * Creates a Fastify app with request ids (a valid x-request-id is used), contract validation, the context of audit events,
 * the error handler and rate limits.
 * Services are registered on it as plugins, in production and in tests.
 */
export function createApp({
  logger = false,
  trustProxy = false,
  limitsLoopback = false,
  requestTimeoutMs = requestLimits.requestMs,
  metricsRegistry = new Registry(),
}: AppOptions = {}): FastifyInstance {
  const headerSetters: HeaderSetter[] = [(request, reply) => void reply.header('x-request-id', request.id)];
  const setHeaders: HeaderSetter = (request, reply) => {
    for (const set of headerSetters) set(request, reply);
  };
  const app: FastifyInstance = Fastify({
    logger,
    trustProxy,
    bodyLimit: requestLimits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: requestLimits.keepAliveMs,
    // A service migrates its database while it is registered, which may take long.
    pluginTimeout: 0,
    http: {
      maxHeaderSize: requestLimits.headerBytes,
      headersTimeout: Math.min(requestLimits.headersMs, requestTimeoutMs),
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
    // Connections that a reverse proxy keeps open may bring further requests while the app closes.
    return503OnClosing: false,
    // Malformed URLs, before a route is found. No hook runs.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      const [, respond = sendError] =
        [...app.urlErrorResponders].findLast(([prefix]) => request.url.startsWith(`${prefix}/`)) ?? [];
      return respond(toAppError(error), request, reply);
    },
    genReqId: (request) => {
      const requestId = request.headers['x-request-id'];
      return typeof requestId === 'string' && validRequestId.test(requestId) ? requestId : randomUUID();
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorate('headerSetters', headerSetters);
  app.decorate('urlErrorResponders', new Map());
  app.decorate('metricsRegistry', metricsRegistry);
  app.decorateRequest('user', null);
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    done();
  });
  registerAuditContext(app);
  registerErrorHandler(app);
  enforceRateLimits(app, limitsLoopback);
  endConnectionsOnClose(app);
  if (trustProxy === false) warnOfUntrustedProxy(app);
  return app;
}

/**
 * Ends each connection after its response while the app closes. Node.js would wait until it was idle for
 * `keepAliveTimeout`, if its request began before.
 */
function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  // Its headers were sent before the app began to close.
  app.addHook('onResponse', ({ raw }, reply, done) => {
    if (isClosing && reply.getHeader('connection') !== 'close') raw.socket.destroySoon();
    done();
  });
}
