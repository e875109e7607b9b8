import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { type ErrorResponder, registerErrorHandler, sendError, toAppError } from './errors.ts';
import { serializerCompiler } from './serialization.ts';
import { validatorCompiler } from './validation.ts';

const passedOnId = /^[\w-]{8,64}$/;

declare module 'fastify' {
  interface FastifyInstance {
    /** How faults in addresses below a prefix are answered, where not as our own API does. */
    urlErrorResponders: Map<string, ErrorResponder>;
  }
}

/** How an app is made; `trustProxy` names the proxies whose forwarded addresses are believed. */
export interface AppOptions {
  logger?: FastifyServerOptions['logger'];
  trustProxy?: FastifyServerOptions['trustProxy'];
}

/**
 * An HTTP app as every service needs it: request ids (a well-formed x-request-id is passed on), contract validation,
 * the error funnel. Services are registered on it as plugins, in production and in tests alike.
 */
export function createApp({ logger = false, trustProxy = false }: AppOptions = {}): FastifyInstance {
  const app: FastifyInstance = Fastify({
    logger,
    trustProxy,
    bodyLimit: 256 * 1024,
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
    // Faults in the address itself, before any route is found.
    frameworkErrors: (error, request, reply) => {
      const [, respond = sendError] =
        [...app.urlErrorResponders].find(([prefix]) => request.url.startsWith(`${prefix}/`)) ?? [];
      return respond(toAppError(error), request, reply);
    },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && passedOnId.test(given) ? given : randomUUID();
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorate('urlErrorResponders', new Map());
  app.decorateRequest('user', null);
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  registerErrorHandler(app);
  return app;
}
