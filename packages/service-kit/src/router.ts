import { Readable } from 'node:stream';
import {
  type Endpoint,
  errorBody,
  errorStatus,
  type ParsedRequest,
  type ResponseBody,
  rateLimits,
} from '@escucho/contracts';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { assertContentType, type JsonText } from './validation.ts';

type WithUser<E extends Endpoint, User> = E['access'] extends 'user' ? { user: User } : object;

/** What a handler receives: the parsed request, the user of a `user` endpoint, and the raw Fastify request. */
type HandlerInput<E extends Endpoint, User> = ParsedRequest<E> &
  WithUser<E, User> & { request: FastifyRequest };

interface RouterOptions<User> {
  /**
   * Identifies the user who sends a request to an endpoint.
   *
   * @throws AppError `unauthorized`, `token_expired`, or `reauthentication_required` where the endpoint requires a recent
   *   sign-in
   */
  authenticate: (request: FastifyRequest, endpoint: Endpoint) => Promise<User>;
}

const commonErrors = ['invalid_request', 'too_many_requests', 'internal'] as const;
const authErrors = ['unauthorized', 'token_expired'] as const;

function responseSchemas(endpoint: Endpoint): Record<number, unknown> {
  const { access, errors: ownErrors = [] } = endpoint;
  const codes = [...commonErrors, ...(access === 'user' ? authErrors : []), ...ownErrors];
  const errors = Object.fromEntries(codes.map((code) => [errorStatus[code], errorBody]));
  const success = endpoint.events
    ? { description: endpoint.summary, content: { 'text/event-stream': { schema: endpoint.response } } }
    : endpoint.response;
  return { 200: success, ...errors };
}

/**
 * Creates a function that registers endpoints of the contracts on a Fastify app.
 *
 * @example
 * const route = createRouter(app, { authenticate });
 * route(api.playlists.findPlaylists).handle(({ user, query }) => service.findPlaylists(user, query));
 *
 * @param app - the Fastify instance, with the compilers that `createApp` installs
 * @returns `route(endpoint)` with `handle` for JSON responses and `stream` for server-sent events. Handlers return the
 * body of a 200 response; errors are thrown as `AppError`.
 */
export function createRouter<User extends { id: string }>(
  app: FastifyInstance,
  { authenticate }: RouterOptions<User>,
) {
  return <E extends Endpoint>(endpoint: E) => {
    type Input = HandlerInput<E, User>;

    function register(respond: (input: Input, reply: FastifyReply) => unknown): void {
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        // HEAD would open a stream that is occupied until its end, without a client that could close it.
        exposeHeadRoute: !endpoint.events,
        config: { rateLimits: endpoint.rateLimit === 'none' ? [] : rateLimits[endpoint.rateLimit] },
        schema: {
          summary: endpoint.summary,
          tags: [endpoint.path.split('/')[1] ?? ''],
          ...(endpoint.access === 'user' && { security: [{ bearer: [] }] }),
          ...(endpoint.params && { params: endpoint.params }),
          ...(endpoint.query && { querystring: endpoint.query }),
          ...(endpoint.body && { body: endpoint.body }),
          ...(endpoint.form && { consumes: ['application/x-www-form-urlencoded', 'multipart/form-data'] }),
          response: responseSchemas(endpoint),
        },
        // Authentication runs before the body is parsed: an anonymous body is not worth reading.
        onRequest: async (request) => {
          if (endpoint.access === 'user') request.user = await authenticate(request, endpoint);
          if (endpoint.body) assertContentType(request, endpoint.form === true);
        },
        handler: async (request, reply) => {
          const { params, query, body, user } = request;
          // The validator has parsed these by the endpoint's own schemas; Fastify's types do not know.
          return respond({ params, query, body, user, request } as Input, reply);
        },
      });
    }

    return {
      /** Registers the handler of a JSON endpoint. A `Readable` is the JSON of a large response. */
      handle(
        handler: (input: Input) => Promise<ResponseBody<E> | JsonText | Readable> | ResponseBody<E>,
      ): void {
        register(async (input, reply) => {
          const body = await handler(input);
          if (body instanceof Readable) reply.type('application/json; charset=utf-8');
          if (endpoint.maxAgeSeconds !== undefined)
            reply.header('cache-control', `public, max-age=${endpoint.maxAgeSeconds}`);
          return body;
        });
      },

      /** Registers the handler of a `text/event-stream` endpoint. */
      stream(handler: (input: Input) => Promise<Readable> | Readable): void {
        register(async (input, reply) => {
          const events = await handler(input);
          // nginx buffers responses unless this header turns it off.
          return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(events);
        });
      },
    };
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    user: unknown;
  }
}

/** Serves the OpenAPI document of all routes that are registered afterwards, at `openapi.json` below the app's prefix. */
export async function registerOpenApi(
  app: FastifyInstance,
  info: { title: string; version: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: jsonSchemaTransform,
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
