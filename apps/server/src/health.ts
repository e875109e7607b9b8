import { AppError } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';

/** Readiness checks by name; each throws when its dependency fails. */
export type Probes = Record<string, () => Promise<unknown>>;

/** Registers `/health` (liveness) and `/health/ready` (readiness; 503 when a check fails or the process stops). */
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
        const error = await probe().then(
          () => undefined,
          (cause: unknown) => cause,
        );
        if (error !== undefined) request.log.warn({ err: error, probe: name }, 'not ready');
        return [name, error === undefined ? 'ok' : 'failing'] as const;
      }),
    );
    const ready = results.every(([, state]) => state === 'ok');
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'failing', checks: Object.fromEntries(results) });
  });
}
