import { parseAddress } from '@escucho/audit';
import { AppError, type RateLimit } from '@escucho/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import {
  createRateLimiter,
  type Quota,
  RateLimitError,
  type RateLimiter,
  type RateLimiterOptions,
} from './limiter.ts';

/**
 * Returns the network that rate limits count: an IPv4 address or the /64 of an IPv6 address, which is what a provider
 * assigns to one customer. Loopback is `loopback`, and what is no address stays as it is. The address may have a port.
 */
export function toNetwork(clientAddress: string): string {
  const address = parseAddress(clientAddress);
  if (!address) return clientAddress;
  if (address.range() === 'loopback') return 'loopback';
  return address.kind() === 'ipv4'
    ? address.toString()
    : address.toNormalizedString().split(':', 4).join(':');
}

/** Returns the network a request comes from; undefined for this machine, unless the app counts it too. */
export function getNetwork(request: FastifyRequest): string | undefined {
  const network = toNetwork(request.ip);
  return network === 'loopback' && !request.server.limitsLoopback ? undefined : network;
}

/**
 * Logs a warning, once, when a request has been forwarded although no proxy is trusted: all users then have the address of
 * the proxy, and share the rate limits of one network.
 */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook('onRequest', ({ headers, ip, log }, _reply, done) => {
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    if (isForwarded && !hasWarned) {
      hasWarned = true;
      log.warn(
        { remoteAddress: ip },
        'a forwarded request arrived, but TRUST_PROXY is not set: if this address is your proxy, all users share its rate limits; set TRUST_PROXY to it',
      );
    }
    done();
  });
}

/** The limits of a route, or a function that chooses them by the request's line and headers. */
type RouteRateLimits = readonly RateLimit[] | ((request: FastifyRequest) => readonly RateLimit[]);

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts attempts of the service this instance belongs to; `registerRateLimits` adds it. */
    rateLimiter: RateLimiter;
    /** Whether limits of networks also count the requests of this machine. */
    limitsLoopback: boolean;
  }
  interface FastifyContextConfig {
    /** Required for routes that change something; empty where the caller proves by a key that it is a server. */
    rateLimits?: RouteRateLimits;
  }
}

/** How long a client waits before it repeats a request that the service could not handle. */
const UNAVAILABLE_RETRY_SECONDS = 5;

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Returns what a limit of a route counts by. Limits by account are counted by the handler, which knows the account. */
function getSubject({ by }: RateLimit, request: FastifyRequest): string | undefined {
  if (by === 'network') return getNetwork(request);
  if (by === 'everybody') return 'everybody';
  const id: unknown = Object(request.user).id;
  if (by !== 'user' || typeof id !== 'string') {
    throw new Error(`${request.method} ${request.routeOptions.url} has no ${by} to limit by`);
  }
  return id;
}

const appendHeader = (reply: FastifyReply, name: string, item: string) => {
  const existing = reply.getHeader(name);
  reply.header(name, existing === undefined ? item : `${existing}, ${item}`);
};

/** Adds the headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10). */
function sendQuota(reply: FastifyReply, { limit, remaining, resetSeconds }: Quota): void {
  appendHeader(reply, 'ratelimit-policy', `"${limit.name}";q=${limit.limit};w=${limit.windowSeconds}`);
  appendHeader(reply, 'ratelimit', `"${limit.name}";r=${remaining};t=${resetSeconds}`);
}

/**
 * Adds the headers of a refusal: RateLimit, RateLimit-Policy, and Retry-After in seconds, which `unavailable` has too. Error
 * handlers call it, so that limits which a handler counts have the headers too.
 */
export function sendRetryHeaders(reply: FastifyReply, error: unknown): void {
  if (error instanceof AppError && error.status === 503)
    reply.header('retry-after', UNAVAILABLE_RETRY_SECONDS);
  if (!(error instanceof RateLimitError)) return;
  sendQuota(reply, error.quota);
  reply.header('retry-after', String(error.quota.resetSeconds));
}

/** Creates the hook that counts a request towards the limits of its route; none where no limit is counted. */
function createHooks(rateLimits: RouteRateLimits, isCounted: (limit: RateLimit) => boolean) {
  if (typeof rateLimits !== 'function' && !rateLimits.some(isCounted)) return [];
  const count = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const limits = typeof rateLimits === 'function' ? rateLimits(request) : rateLimits;
    for (const limit of limits.filter(isCounted)) {
      const quota = await request.server.rateLimiter.consume(limit, getSubject(limit, request));
      if (quota) sendQuota(reply, quota);
    }
  };
  return [count];
}

function addHooks(app: FastifyInstance, route: RouteOptions): void {
  const { rateLimits } = route.config ?? {};
  const name = `${[route.method].flat().join(', ')} ${route.url}`;
  if (!rateLimits) {
    const isSafe = [route.method].flat().every((method) => safeMethods.includes(method));
    if (!isSafe) throw new Error(`${name} declares no rate limit`);
    return;
  }
  if (rateLimits.length === 0 && typeof rateLimits !== 'function') return;
  if (!app.rateLimiter) throw new Error(`${name} is registered before its service’s rate limiter`);
  // The user is known after the route's own hooks. Other limits come first: authentication has a cost too.
  const isByUser = ({ by }: RateLimit) => by === 'user';
  route.onRequest = [
    ...createHooks(rateLimits, (limit) => !isByUser(limit)),
    ...[route.onRequest ?? []].flat(),
    ...createHooks(rateLimits, isByUser),
  ];
}

/** Makes every route of an app count its requests towards its limits, and refuses routes that should have some. */
export function enforceRateLimits(app: FastifyInstance, limitsLoopback: boolean): void {
  app.decorate('limitsLoopback', limitsLoopback);
  app.addHook('onRoute', function (route) {
    addHooks(this, route);
  });
}

/** Creates the rate limiter of a service. Call it before its routes are registered. */
export function registerRateLimits(app: FastifyInstance, options: RateLimiterOptions): void {
  const limiter = createRateLimiter(options);
  app.decorate('rateLimiter', limiter);
  app.addHook('onClose', () => limiter.close());
}
