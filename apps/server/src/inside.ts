import type { FastifyInstance, InjectOptions } from 'fastify';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/**
 * Reaches a service of this process by its public address without the way through the network, which need not lead
 * here: a proxy may stand before it. In: the app that all services are part of. Out: what fetch does.
 */
export function insideOf(app: FastifyInstance) {
  return async (address: string, { method, headers, body }: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(address);
    const sent: InjectOptions = {
      url: pathname + search,
      method: methods.find((known) => known === method) ?? 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { payload: body }),
    };
    const answer = await app.inject(sent);
    return new Response(answer.body, { status: answer.statusCode });
  };
}
