import {
  buildPath,
  type Endpoint,
  type ErrorCode,
  errorBody,
  type FieldError,
  isErrorCode,
  type RequestInput,
  type ResponseBody,
  toFormBody,
} from '@escucho/contracts';
import type { MessageKey } from '../i18n/i18n.ts';
import { REQUEST_TIMEOUT_MS } from '../network.ts';

/** A failed API call: an error code of the contracts, or `network` without a response (status 0). */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network';
  readonly status: number;
  readonly fields: readonly FieldError[];

  constructor(code: ErrorCode | 'network', status: number, fields: readonly FieldError[] = []) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

/** Returns the key of the message for an error. */
export function getErrorKey(error: unknown): MessageKey {
  if (!(error instanceof ApiError)) return 'internal';
  return error.code === 'network' ? 'common.network' : error.code;
}

/** Returns whether an address names nothing: the call by its id failed, because the id is unknown or no id. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_request');

/** Handles the error of a deletion: what is missing, such as after a request without a response, is deleted. */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

declare global {
  interface Window {
    /** Responses to the boot script's requests, by URL. */
    __early?: Record<string, Promise<Response>>;
  }
}

/** Returns the response to a request of the boot script, once. */
export function takeEarlyResponse(url: string): Promise<Response> | null {
  const response = window.__early?.[url];
  if (!response) return null;
  delete window.__early?.[url];
  return response;
}

/** The base path of the own API. */
export const API_BASE = '/api';

/** The window event that a 401 response dispatches (AUTH-09); the session handles it. */
export const UNAUTHORIZED_ACCESS = 'unauthorizedAccess';

/** Returns the bearer token; another one than that which the server has refused as expired. */
type TokenSource = (expired?: string) => Promise<string | null>;
let tokenSource: TokenSource = async () => null;

/** Sets the function that returns bearer tokens. */
export function setTokenSource(source: TokenSource): void {
  tokenSource = source;
}

interface RequestParts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

interface Options {
  signal?: AbortSignal;
  /** Completes the request even if the page is closed, e.g. to save the last position. */
  keepalive?: boolean;
  /** The base path of the endpoint; the API's by default. */
  base?: string;
}

async function send(
  endpoint: Endpoint,
  url: string,
  body: unknown,
  { signal, keepalive = false }: Options,
  token: string | null,
) {
  const headers = new Headers({
    accept: 'application/json',
    'accept-language': document.documentElement.lang,
  });
  if (token) headers.set('authorization', `Bearer ${token}`);
  // The browser sets the content type of a form.
  if (body !== undefined && !endpoint.form) headers.set('content-type', 'application/json');
  // Event streams stay open.
  const timeouts = endpoint.events ? [] : [AbortSignal.timeout(REQUEST_TIMEOUT_MS)];
  return fetch(url, {
    method: endpoint.method,
    headers,
    keepalive,
    signal: AbortSignal.any(signal ? [signal, ...timeouts] : timeouts),
    ...(body !== undefined && { body: endpoint.form ? toFormBody(Object(body)) : JSON.stringify(body) }),
  });
}

/** Sends a request with the session's token; once more where another token has replaced a refused one meanwhile. */
async function sendAsUser(endpoint: Endpoint, url: string, body: unknown, options: Options) {
  const token = await tokenSource();
  const response = await send(endpoint, url, body, options, token);
  if (response.status !== 401 || !token) return response;
  // The clock of the device may have been corrected since the token was stored.
  const { code } = await toApiError(response.clone());
  const current = await tokenSource(code === 'token_expired' ? token : undefined);
  return current && current !== token ? send(endpoint, url, body, options, current) : response;
}

async function toApiError(response: Response): Promise<ApiError> {
  const { data } = errorBody.safeParse(await response.json().catch(() => null));
  const code = data?.error.code ?? '';
  const knownCode = isErrorCode(code) ? code : response.status >= 500 ? 'unavailable' : 'invalid_request';
  return new ApiError(knownCode, response.status, data?.error.fields);
}

/**
 * Sends a request to the API and returns the successful response.
 *
 * @throws ApiError, or the reason of the aborted signal
 */
export async function sendRequest(
  endpoint: Endpoint,
  parts: RequestParts,
  options: Options = {},
): Promise<Response> {
  const url = (options.base ?? API_BASE) + buildPath(endpoint, parts);
  const earlyResponse = endpoint.method === 'GET' ? takeEarlyResponse(url) : null;
  const fetchResponse =
    endpoint.access === 'user'
      ? () => sendAsUser(endpoint, url, parts.body, options)
      : () => send(endpoint, url, parts.body, options, null);
  const request = earlyResponse?.then((early) => (early.status === 401 ? fetchResponse() : early));
  const response = await (request ?? fetchResponse()).catch((reason: unknown) => {
    options.signal?.throwIfAborted();
    throw reason instanceof ApiError ? reason : new ApiError('network', 0);
  });
  if (response.ok) return response;
  const error = await toApiError(response);
  // An old sign-in is still a valid one.
  if (error.status === 401 && error.code !== 'reauthentication_required')
    window.dispatchEvent(new CustomEvent(UNAUTHORIZED_ACCESS, { detail: error.code }));
  throw error;
}

/**
 * Calls an endpoint of the contracts and returns the response body, validated against the contract.
 *
 * @throws ApiError, or the reason of the aborted signal
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  options: Options = {},
): Promise<ResponseBody<E>> {
  const response = await sendRequest(endpoint, input as RequestParts, options);
  const parsed = endpoint.response.safeParse(await response.json().catch(() => undefined));
  options.signal?.throwIfAborted();
  if (!parsed.success) throw new ApiError('internal', response.status);
  return parsed.data as ResponseBody<E>;
}
