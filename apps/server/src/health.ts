import { AppError } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';

/** What must answer before the process may be sent readers; each throws when it does not. */
export type Probes = Record<string, () => Promise<unknown>>;

/** `/health`: the process is alive. `/health/ready`: everything it needs answers, 503 otherwise and while it stops. */
export function registerHealth(app: FastifyInstance, probes: Probes): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.get('/health', { schema: { hide: true }, logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { schema: { hide: true }, logLevel: 'silent' }, async (request, reply) => {
    if (stopping) throw new AppError('unavailable');
    const results = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => {
        const fault = await probe().then(
          () => undefined,
          (error: unknown) => error,
        );
        if (fault !== undefined) request.log.warn({ err: fault, probe: name }, 'not ready');
        return [name, fault === undefined ? 'ok' : 'failing'] as const;
      }),
    );
    const ready = results.every(([, state]) => state === 'ok');
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'failing', checks: Object.fromEntries(results) });
  });
}
