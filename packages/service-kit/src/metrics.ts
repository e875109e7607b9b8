import { isIP } from 'node:net';
import { AppError } from '@escucho/contracts';
import { removeBrackets } from '@escucho/database';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram } from 'prom-client';
import { getBearerToken, isEqualInConstantTime } from './credentials.ts';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Returns the bearer token of a request, or the password of HTTP Basic (RFC 7617), which browsers ask for. */
function getToken(request: FastifyRequest): string {
  const [, basic = ''] = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const password = Buffer.from(basic, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
  return getBearerToken(request) ?? password;
}

/** Who may read the metrics. */
interface MetricsAccess {
  token: string | undefined;
  publicUrl: string;
}

/**
 * Returns whether an authority (RFC 9110, section 7.2) has an address, a loopback name or that of the public URL. A page
 * with another name that leads to this machine (DNS rebinding) could read the response in a browser here.
 */
function isKnownName(authority: string, publicUrl: string): boolean {
  if (!URL.canParse(`http://${authority}`)) return false;
  const { hostname: name } = new URL(`http://${authority}`);
  const isLoopbackName = /^(?:.+\.)?localhost$/.test(name);
  return isLoopbackName || isIP(removeBrackets(name)) !== 0 || name === new URL(publicUrl).hostname;
}

/** Allows callers with the token; without a token only direct callers on this machine. */
export function canReadMetrics(request: FastifyRequest, { token, publicUrl }: MetricsAccess): boolean {
  const { headers, socket } = request;
  if (token !== undefined) return isEqualInConstantTime(getToken(request), token);
  const direct = headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
  return direct && loopback.has(socket.remoteAddress ?? '') && isKnownName(headers.host ?? '', publicUrl);
}

/**
 * Measures every request by route (not by URL, which contains ids) and serves Prometheus metrics at `/metrics`, which
 * responds with 404 to unauthorised callers.
 *
 * @param access - the bearer token that grants access, if any, and the public URL of the product
 */
export function registerMetrics(app: FastifyInstance, access: MetricsAccess): void {
  const registry = app.metricsRegistry;
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to response, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', { schema: { hide: true }, logLevel: 'silent' }, async (request, reply) => {
    if (!canReadMetrics(request, access)) throw new AppError('not_found');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
