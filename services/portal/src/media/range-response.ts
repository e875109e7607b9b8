import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import isFresh from 'fresh';
import parseRange from 'range-parser';
import { type ByteRange, getKeyHash, type StoredFile } from './media-store.ts';

/** Status and headers of a response, and the bytes of its body; without a range it has no body. */
interface RangeResponse {
  status: 200 | 206 | 304 | 412 | 416;
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
 * Evaluates the conditions and the range of a request (RFC 9110). Multiple ranges and other units return the whole file.
 * The entity tag is the hash of the content, from the key.
 */
export function toRangeResponse(
  request: IncomingHttpHeaders,
  key: string,
  { size, modified }: StoredFile,
): RangeResponse {
  const etag = `"${getKeyHash(key)}"`;
  const lastModified = modified.toUTCString();
  const validators = { etag, 'last-modified': lastModified };
  if (!matchesEtag(request['if-match'], etag)) return { status: 412, headers: validators };
  if (isFresh(request, validators)) return { status: 304, headers: validators };

  const headers = { ...validators, 'accept-ranges': 'bytes' };
  const whole: RangeResponse = {
    status: 200,
    headers: { ...headers, 'content-length': size },
    ...(size > 0 && { range: { start: 0, end: size - 1 } }),
  };
  if (request.range === undefined || !matchesIfRange(request['if-range'], etag, lastModified)) return whole;
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
