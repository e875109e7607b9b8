import Fastify from 'fastify';

/** An answer given for every request, as it is. */
export interface Given {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** The barest server that can answer: Fastify with one route. Out: its origin, and how to end it. */
export async function serveBare(
  answers: Record<string, Given>,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const app = Fastify();
  for (const [path, { status, headers, body }] of Object.entries(answers)) {
    app.get(path, (_request, reply) => reply.status(status).headers(headers).send(body));
  }
  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
}
