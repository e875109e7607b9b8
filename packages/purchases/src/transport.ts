import type * as z from 'zod/mini';
import { PurchasesError, parseErrorResponse } from './errors.ts';

const placeholderIds = [
  'no_user',
  'null',
  'none',
  'nil',
  '(null)',
  'NaN',
  '\\x00',
  'unidentified',
  'undefined',
  'unknown',
];

/** Returns whether a public key belongs to a sandbox; such screens have the 'Sandbox' badge (SUB-05). */
export const isSandboxKey = (apiKey: string): boolean => apiKey.startsWith('rcb_sb_');

/** Returns why a public key or a user id is invalid (section 5, SUB-05); undefined if both are valid. */
export function findInvalidIdentifier(apiKey: string, userId: string): PurchasesError | undefined {
  if (!/^rcb_[\w.-]+$/.test(apiKey))
    return new PurchasesError('InvalidCredentialsError', 'The public key must start with rcb_.');
  if (userId === '' || userId.includes('/') || placeholderIds.includes(userId))
    return new PurchasesError('InvalidAppUserIdError', `"${userId}" cannot be a user id.`);
  return undefined;
}

/** The time source. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after the delay in milliseconds; rejects with the signal's reason when it is aborted before. */
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The value of `X-Version`. */
const VERSION = '0.1.0';

/** A call without a response in this time counts as a network error. */
const TIMEOUT_MS = 30_000;

export interface TransportOptions {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  fetch: (address: string, init: RequestInit) => Promise<Response>;
  clock: Clock;
}

interface TransportRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** Headers in addition to those of every call. */
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/**
 * Creates a function that calls the provider and validates the response: the headers of section 7, one timeout, every
 * failure a PurchasesError (SUB-06) or the signal's reason.
 */
export function createTransport({ baseUrl, apiKey, fetch, clock }: TransportOptions) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'x-platform': 'web',
    'x-version': VERSION,
    'x-is-sandbox': String(isSandboxKey(apiKey)),
  };

  /** Returns the status and the parsed JSON; undefined for a body that is not JSON. */
  async function send({
    method,
    path,
    body,
    headers: additionalHeaders,
    signal,
  }: TransportRequest): Promise<{ status: number; json: unknown }> {
    const limit = new AbortController();
    const done = new AbortController();
    clock.wait(TIMEOUT_MS, done.signal).then(
      () => limit.abort(),
      () => undefined,
    );
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...additionalHeaders },
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: parseJson(text) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw new PurchasesError('NetworkError', 'The billing provider did not answer.', { cause });
    } finally {
      done.abort();
    }
  }

  return async <Schema extends z.ZodMiniType>(
    request: TransportRequest,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const { status, json } = await send(request);
    if (status >= 400) throw parseErrorResponse(status, json);
    const checked = schema.safeParse(json);
    if (checked.success) return checked.data;
    throw new PurchasesError(
      'UnexpectedBackendResponseError',
      `${request.method} ${request.path}: the response has another shape.`,
    );
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
