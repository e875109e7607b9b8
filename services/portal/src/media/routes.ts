import { AppError, type ErrorCode } from '@escucho/contracts';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { secondsLeft } from './links.ts';
import { contentTypeOf, isKey, type MediaStore, type Opened } from './store.ts';

/** Where media lie and the secret their links are signed with, which the portal signs with too. */
export interface MediaOptions {
  store: MediaStore;
  secret: string;
  clock?: () => Date;
}

interface Link {
  Params: { '*': string };
  Querystring: { expires?: unknown; signature?: unknown };
}

const refusals: Record<number, ErrorCode> = {
  404: 'not_found',
  412: 'invalid_request',
  416: 'range_not_satisfiable',
};

/** A file opened by its own address must not run scripts in our name. */
const inert = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function answer(reply: FastifyReply, key: string, seconds: number, { status, headers, bytes }: Opened) {
  if (status >= 400) {
    bytes.destroy();
    const range = headers['Content-Range'];
    if (range !== undefined) reply.header('content-range', range);
    throw new AppError(refusals[status] ?? 'internal');
  }
  return reply
    .status(status)
    .headers({
      ...headers,
      'content-type': contentTypeOf(key),
      'cache-control': `private, max-age=${seconds}, immutable`,
      'content-security-policy': inert,
      'cross-origin-resource-policy': 'same-site',
      'x-content-type-options': 'nosniff',
    })
    .send(bytes);
}

/**
 * Serves media at signed addresses: `<key>?expires=<seconds since 1970>&signature=<base64url>`, with ranges,
 * conditions and HEAD. Answers `forbidden` or `link_expired` before it looks for any file.
 */
export const media: FastifyPluginAsync<MediaOptions> = async (app, options) => {
  const { store, secret, clock = () => new Date() } = options;
  app.route<Link>({
    method: ['GET', 'HEAD'],
    url: '/*',
    schema: { hide: true },
    handler: async (request, reply) => {
      const key = request.params['*'];
      const { expires, signature } = request.query;
      const left = secondsLeft(secret, { key, expires, signature }, clock());
      if (typeof left === 'string') throw new AppError(left);
      if (!isKey(key)) throw new AppError('not_found');
      return answer(reply, key, left, await store.open(key, request.raw));
    },
  });
};
