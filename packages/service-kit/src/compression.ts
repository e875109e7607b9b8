import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import etag from '@fastify/etag';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Smaller bodies fit into one packet, compressed or not. */
const MIN_BYTES = 1024;

/** Of compressed bodies, which are sent again for so long. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const CACHE_TTL_MS = 5 * 60_000;
/** What an entry of the cache occupies in addition to its body. */
const ENTRY_BYTES = 500;

const compressibleTypes = /^(?:text\/|application\/json)/;

const isCompressible = (reply: FastifyReply, payload: unknown): payload is string =>
  typeof payload === 'string' &&
  payload.length >= MIN_BYTES &&
  compressibleTypes.test(String(reply.getHeader('content-type')));

/** A compression of response bodies. */
export type Encoding = 'br' | 'gzip';

/** Returns the best supported encoding of an Accept-Encoding header, undefined for none. */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  const encoding = negotiate(acceptEncoding ?? '', ['br', 'gzip']);
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined;
}

// The lowest levels: a page of 20 tracks takes 0.05 ms, less than handing it to a thread, and a sixth of its size is left.
const compressors: Record<Encoding, (body: string) => Buffer> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body) => gzipSync(body, { level: constants.Z_BEST_SPEED }),
};

/** Returns a copy in memory of its own. What zlib returns is a view of 16 kB, all of which would stay in memory. */
function copyBytes(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/**
 * Sends 304 to those who have a response already, by its ETag (RFC 9110, section 13.1.2), and compresses text that is sent
 * as a string, by Accept-Encoding (RFC 9110, section 12.5.3). Streams are sent as they are: events must not wait in a
 * buffer, audio is compressed already, and files of the web app are when it is built. A text that was compressed for a GET
 * request of any user is not compressed again, unless it must not be stored (`no-store`).
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  // The cache finds bodies by their ETags, so these are of a collision-resistant hash, and never a handler's.
  app.addHook('onSend', ({ method, headers }, reply, payload, done) => {
    // Only reads have a 304, and only instead of a success (RFC 9110, sections 13.1.2 and 13.2.1).
    if ((method !== 'GET' && method !== 'HEAD') || reply.statusCode !== 200) delete headers['if-none-match'];
    if (typeof payload === 'string') reply.removeHeader('etag');
    // Before the 304, which has it too (RFC 9110, section 15.4.5).
    if (isCompressible(reply, payload)) {
      const vary = reply.getHeader('vary');
      reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
    }
    done();
  });
  // Weak: the same text is compressed in several ways.
  await app.register(etag, { weak: true, algorithm: 'sha256' });
  const cache = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ length }) => ENTRY_BYTES + length,
    ttl: CACHE_TTL_MS,
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload);
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    if (!encoding) return done(null, payload);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    if (request.method !== 'GET' || reply.getHeader('cache-control') === 'no-store')
      return done(null, compressors[encoding](payload));
    const key = `${encoding} ${reply.getHeader('etag')}`;
    const cached = cache.get(key);
    if (cached) return done(null, cached);
    const body = copyBytes(compressors[encoding](payload));
    cache.set(key, body);
    return done(null, body);
  });
}
