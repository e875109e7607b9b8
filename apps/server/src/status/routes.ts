import { AppError } from '@escucho/contracts';
import { canReadMetrics, negotiateLanguage, pageHeaders, toErrorBody } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import { renderStatusPage } from './page.ts';
import { createStatusReader, type StatusDeps } from './status.ts';

/** Whether a client prefers JSON, as programs do, to the page. */
const prefersJson = (accept = '') => accept.includes('application/json') && !accept.includes('text/html');

/**
 * Registers `/status`, a page for administrators, as JSON for programs. It has the readers of `/metrics`: those with
 * METRICS_TOKEN, for which browsers ask as the password of HTTP Basic, or without one those on this machine.
 */
export function registerStatus(app: FastifyInstance, deps: Omit<StatusDeps, 'log'>): void {
  const { metricsToken: token } = deps.settings;
  const reader = createStatusReader({ ...deps, log: app.log });
  app.addHook('onClose', reader.close);

  app.get('/status', { schema: { hide: true } }, async (request, reply) => {
    if (!canReadMetrics(request, token)) {
      if (token === undefined) throw new AppError('not_found');
      return reply
        .status(401)
        .headers({
          'www-authenticate': 'Basic realm="Escucho", charset="UTF-8"',
          'cache-control': 'no-store',
        })
        .send(toErrorBody(new AppError('unauthorized'), request));
    }
    const status = await reader.read();
    reply.headers({ ...pageHeaders(), vary: 'accept, accept-language' });
    if (prefersJson(request.headers.accept)) return reply.send(status);
    const language = negotiateLanguage(request.headers['accept-language']);
    return reply.type('text/html; charset=utf-8').send(renderStatusPage(language, status));
  });
}
