import type { Readable } from 'node:stream';
import type { Answered, Endpoint, Received } from '@escucho/contracts';
import { errorBody, errorStatus } from '@escucho/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkBodyType } from './forms.ts';

/** Who asks: for a `reader` endpoint what `authenticate` found, else nothing. */
type Asking<E extends Endpoint, Reader> = E['access'] extends 'reader' ? { reader: Reader } : object;

/** What a handler is given: the parsed request, who asks, and the raw request for what no contract says. */
export type Asked<E extends Endpoint, Reader> = Received<E> & Asking<E, Reader> & { request: FastifyRequest };

interface RouterOptions<Reader> {
  /** Who sends this? Throws `unauthorized` or `token_expired`. */
  authenticate: (request: FastifyRequest) => Promise<Reader>;
}

const anyCallErrors = ['invalid_request', 'internal'] as const;

function answersOf(target: Endpoint): Record<number, unknown> {
  const needsToken = target.access === 'reader' ? (['unauthorized', 'token_expired'] as const) : [];
  const codes = [...anyCallErrors, ...needsToken, ...target.errors];
  const faults = Object.fromEntries(codes.map((code) => [errorStatus[code], errorBody]));
  const good = target.events
    ? { description: target.summary, content: { 'text/event-stream': { schema: target.response } } }
    : target.response;
  return { 200: good, ...faults };
}

/**
 * Registers endpoints of the contracts: `route(endpoint).handledBy(handler)`. The handler gets parsed input and must
 * answer what the endpoint promises; it answers 200, faults are thrown as `AppError`. Endpoints with `events` are
 * `streamedBy` a handler whose stream is sent as it comes.
 */
export function router<Reader>(app: FastifyInstance, { authenticate }: RouterOptions<Reader>) {
  return <E extends Endpoint>(target: E) => {
    type Ask = Asked<E, Reader>;

    function register(answer: (asked: Ask, reply: FastifyReply) => unknown): void {
      app.route({
        method: target.method,
        url: target.path,
        schema: {
          summary: target.summary,
          tags: [target.path.split('/')[1] ?? ''],
          ...(target.access === 'reader' && { security: [{ bearer: [] }] }),
          ...(target.params && { params: target.params }),
          ...(target.query && { querystring: target.query }),
          ...(target.body && { body: target.body }),
          ...(target.form && { consumes: ['application/x-www-form-urlencoded', 'multipart/form-data'] }),
          response: answersOf(target),
        },
        // Before the body is parsed: a stranger's body is not worth reading.
        onRequest: async (request) => {
          if (target.access === 'reader') request.reader = await authenticate(request);
          if (target.body) checkBodyType(request, target.form === true);
        },
        handler: async (request, reply) => {
          const { params, query, body, reader } = request;
          // The validator has parsed these by the endpoint's own schemas; Fastify's types cannot know.
          return answer({ params, query, body, reader, request } as Ask, reply);
        },
      });
    }

    return {
      handledBy(handler: (asked: Ask) => Promise<Answered<E>> | Answered<E>): void {
        register((asked) => handler(asked));
      },

      streamedBy(handler: (asked: Ask) => Promise<Readable> | Readable): void {
        register(async (asked, reply) => {
          const events = await handler(asked);
          // Some proxies hold answers back until they are whole.
          return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(events);
        });
      },
    };
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    reader: unknown;
  }
}
