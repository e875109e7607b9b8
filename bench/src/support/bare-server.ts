import Fastify from 'fastify';

export interface FixedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** Starts a Fastify server that sends fixed responses, by path. */
export async function startBareServer(
  responses: Record<string, FixedResponse>,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const app = Fastify();
  for (const [path, { status, headers, body }] of Object.entries(responses)) {
    app.get(path, (_request, reply) => reply.status(status).headers(headers).send(body));
  }
  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
}
