import type { Answered, Endpoint, Received } from '@escucho/contracts';
import { errorBody, errorStatus } from '@escucho/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
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

function answersOf(target: Endpoint): Record<number, z.ZodMiniType> {
  const needsToken = target.access === 'reader' ? (['unauthorized', 'token_expired'] as const) : [];
  const codes = [...anyCallErrors, ...needsToken, ...target.errors];
  const faults = Object.fromEntries(codes.map((code) => [errorStatus[code], errorBody]));
  return { 200: target.response, ...faults };
}

/**
 * Registers endpoints of the contracts: `route(endpoint).handledBy(handler)`. The handler gets parsed input and must
 * answer what the endpoint promises; it answers 200, faults are thrown as `AppError`.
 */
export function router<Reader>(app: FastifyInstance, { authenticate }: RouterOptions<Reader>) {
  return <E extends Endpoint>(target: E) => ({
    handledBy(handler: (asked: Asked<E, Reader>) => Promise<Answered<E>> | Answered<E>): void {
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
        handler: async (request) => {
          const { params, query, body, reader } = request;
          // The validator has parsed these by the endpoint's own schemas; Fastify's types cannot know.
          return handler({ params, query, body, reader, request } as Asked<E, Reader>);
        },
      });
    },
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    reader: unknown;
  }
}
