import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import fresh from 'fresh';
import rangeParser from 'range-parser';
import { hashIn, type Part, type Stored } from './store.ts';

/** What HTTP says of a file, and the part of it that follows; without a part no bytes follow. */
export interface Answer {
  status: 200 | 206 | 304 | 412 | 416;
  headers: OutgoingHttpHeaders;
  part?: Part;
}

function matches(wanted: string | undefined, etag: string): boolean {
  return wanted === undefined || wanted === '*' || wanted.split(',').some((tag) => tag.trim() === etag);
}

/** Whether the part may be sent (RFC 9110, 13.1.5): the same file, by its tag or by its date. */
function isSame(condition: string | string[] | undefined, etag: string, modified: string): boolean {
  return condition === undefined || condition === etag || condition === modified;
}

/**
 * The answer to a request for a file: conditions and ranges by RFC 9110. Several ranges at once and other units get
 * the whole file. In: the request's headers, the file's key, its size and date. The tag is the content itself.
 */
export function answerTo(request: IncomingHttpHeaders, key: string, { size, modified }: Stored): Answer {
  const etag = `"${hashIn(key)}"`;
  const lastModified = modified.toUTCString();
  const known = { etag, 'last-modified': lastModified };
  if (!matches(request['if-match'], etag)) return { status: 412, headers: known };
  if (fresh(request, known)) return { status: 304, headers: known };

  const headers = { ...known, 'accept-ranges': 'bytes' };
  const whole: Answer = {
    status: 200,
    headers: { ...headers, 'content-length': size },
    ...(size > 0 && { part: { start: 0, end: size - 1 } }),
  };
  if (request.range === undefined || !isSame(request['if-range'], etag, lastModified)) return whole;
  const ranges = rangeParser(size, request.range);
  if (typeof ranges === 'number') return { status: 416, headers: { 'content-range': `bytes */${size}` } };
  const [part] = ranges.type === 'bytes' && ranges.length === 1 ? ranges : [];
  if (!part) return whole;
  const { start, end } = part;
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    },
    part,
  };
}
