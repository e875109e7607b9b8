import type { FastifyInstance, InjectOptions } from 'fastify';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/**
 * Returns a `fetch` that reaches services of this process by their public URL without the network, where a proxy may be in
 * between.
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
