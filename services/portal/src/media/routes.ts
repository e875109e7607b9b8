import type { OutgoingHttpHeaders } from 'node:http';
import { AppError } from '@escucho/contracts';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import isFresh from 'fresh';
import parseRange from 'range-parser';
import { verifyLink } from './links.ts';
import {
  type ByteRange,
  getContentType,
  getKeyHash,
  isKey,
  MediaNotFoundError,
  type MediaStore,
  type StoredFile,
} from './media-store.ts';

/** Status and headers of a response, and the bytes of its body; without a range it has no body. */
interface RangeResponse {
  status: 200 | 206 | 304 | 416;
  headers: OutgoingHttpHeaders;
  range?: ByteRange;
}

function matchesEtag(ifMatch: string | undefined, etag: string): boolean {
  return ifMatch === undefined || ifMatch === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag);
}

/** Returns whether If-Range (RFC 9110, 13.1.5) matches the file, by its tag or its date. */
function matchesIfRange(ifRange: string | string[] | undefined, etag: string, lastModified: string): boolean {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified;
}

/** Parses a Range header. More last bytes than the file has are the whole file (RFC 9110, 14.1.2). */
const parseRanges = (size: number, header: string) =>
  parseRange(
    size,
    header.replace(/^bytes=-(\d+)$/, (suffix, length) => (Number(length) > size ? 'bytes=0-' : suffix)),
  );

/**
 * Evaluates the conditions and the range of a request (RFC 9110). Multiple ranges, other units and HEAD, for which no
 * range is defined, return the whole file. The entity tag is the hash of the content, from the key.
 *
 * @throws AppError `precondition_failed` where If-Match names other tags
 */
function toRangeResponse(
  { method, headers: request }: Pick<FastifyRequest, 'method' | 'headers'>,
  key: string,
  { size, modified }: StoredFile,
): RangeResponse {
  const etag = `"${getKeyHash(key)}"`;
  const lastModified = modified.toUTCString();
  const validators = { etag, 'last-modified': lastModified };
  if (!matchesEtag(request['if-match'], etag)) throw new AppError('precondition_failed');
  if (isFresh(request, validators)) return { status: 304, headers: validators };

  const headers = { ...validators, 'accept-ranges': 'bytes' };
  const whole: RangeResponse = {
    status: 200,
    headers: { ...headers, 'content-length': size },
    ...(size > 0 && { range: { start: 0, end: size - 1 } }),
  };
  if (method === 'HEAD' || request.range === undefined) return whole;
  if (!matchesIfRange(request['if-range'], etag, lastModified)) return whole;
  const ranges = parseRanges(size, request.range);
  if (typeof ranges === 'number') return { status: 416, headers: { 'content-range': `bytes */${size}` } };
  const [range] = ranges.type === 'bytes' && ranges.length === 1 ? ranges : [];
  if (!range) return whole;
  const { start, end } = range;
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    },
    range,
  };
}

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
      const { status, headers, range } = toRangeResponse(request, key, file);
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
