import { AppError } from '@escucho/contracts';
import type { FastifyPluginAsync } from 'fastify';
import { answerTo } from './answer.ts';
import { secondsLeft } from './links.ts';
import { contentTypeOf, isKey, MediaGone, type MediaStore } from './store.ts';

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

/** A file opened by its own address must not run scripts in our name. */
const inert = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Asks the store: what is not there is `not_found`, a store that does not answer `unavailable`. */
async function asked<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof MediaGone
      ? new AppError('not_found')
      : new AppError('unavailable', { cause: error });
  }
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
      const found = isKey(key) ? await asked(store.stat(key)) : undefined;
      if (!found) throw new AppError('not_found');
      const { status, headers, part } = answerTo(request.headers, key, found);
      if (status === 412) throw new AppError('invalid_request');
      if (status === 416) {
        reply.header('content-range', headers['content-range']);
        throw new AppError('range_not_satisfiable');
      }
      reply.status(status).headers({
        ...headers,
        'content-type': contentTypeOf(key),
        'cache-control': `private, max-age=${left}, immutable`,
        'content-security-policy': inert,
        'cross-origin-resource-policy': 'same-site',
        'x-content-type-options': 'nosniff',
      });
      if (!part || request.method === 'HEAD') return reply.send();
      return reply.send(await asked(store.read(key, part)));
    },
  });
};
