import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Returns the network that rate limits count: an IPv4 address or the /64 of an IPv6 address, which is what a provider
 * assigns to one customer. Loopback is `loopback`.
 */
export function toNetwork(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4) return v4.startsWith('127.') ? 'loopback' : v4;
  if (address === '::1') return 'loopback';
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':').toLowerCase();
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
