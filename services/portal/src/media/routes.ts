import { AppError } from '@escucho/contracts';
import type { FastifyPluginAsync } from 'fastify';
import { verifyLink } from './links.ts';
import { getContentType, isKey, MediaNotFoundError, type MediaStore } from './media-store.ts';
import { toRangeResponse } from './range-response.ts';

interface MediaOptions {
  store: MediaStore;
  /** The secret that the portal signs links with. */
  secret: string;
  clock?: () => Date;
}

interface MediaRequest {
  Params: { '*': string };
  Querystring: { expires?: unknown; signature?: unknown };
}

/** Prevents scripts in a file, such as an SVG, that is opened by its own address. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Translates errors of the store to `not_found` and `unavailable`. */
async function translateStoreErrors<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation;
  } catch (error) {
    throw error instanceof MediaNotFoundError
      ? new AppError('not_found')
      : new AppError('unavailable', { cause: error });
  }
}

/**
 * Serves media at signed URLs, `<key>?expires=<seconds since 1970>&signature=<base64url>`, with ranges, conditional
 * requests and HEAD. Responds `forbidden` or `link_expired` before it looks for the file.
 */
export const media: FastifyPluginAsync<MediaOptions> = async (app, options) => {
  const { store, secret, clock = () => new Date() } = options;
  app.route<MediaRequest>({
    method: ['GET', 'HEAD'],
    url: '/*',
    schema: { hide: true },
    handler: async (request, reply) => {
      const key = request.params['*'];
      const { expires, signature } = request.query;
      const lifetime = verifyLink(secret, { key, expires, signature }, clock());
      if (typeof lifetime === 'string') throw new AppError(lifetime);
      const file = isKey(key) ? await translateStoreErrors(store.stat(key)) : undefined;
      if (!file) throw new AppError('not_found');
      const { status, headers, range } = toRangeResponse(request.headers, key, file);
      if (status === 412) throw new AppError('invalid_request');
      if (status === 416) {
        reply.header('content-range', headers['content-range']);
        throw new AppError('range_not_satisfiable');
      }
      // Before the headers, which let a browser keep the response for days.
      const hasBody = range !== undefined && request.method !== 'HEAD';
      const body = hasBody ? await translateStoreErrors(store.read(key, range)) : undefined;
      reply.status(status).headers({
        ...headers,
        'content-type': getContentType(key),
        'cache-control': `private, max-age=${lifetime}, immutable`,
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'cross-origin-resource-policy': 'same-site',
        'x-content-type-options': 'nosniff',
      });
      return reply.send(body);
    },
  });
};
