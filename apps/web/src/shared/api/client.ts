import {
  buildPath,
  type Endpoint,
  errorBody,
  isErrorCode,
  type RequestInput,
  type ResponseBody,
  toFormBody,
} from '@escucho/contracts';
import { ApiError } from './api-error.ts';

export { ApiError, getErrorKey } from './api-error.ts';

declare global {
  interface Window {
    /** Answers the boot script in index.html began to fetch before any module ran, by address. */
    __early?: Record<string, Promise<Response>>;
  }
}

/** The answer that the boot script began for an address; each is handed out once. */
export function takeEarlyResponse(address: string): Promise<Response> | null {
  const early = window.__early?.[address];
  if (!early) return null;
  delete window.__early?.[address];
  return early;
}

const API_BASE = '/api';

/** The app event that a 401 of the own API raises (AUTH-09); what follows from it is the session's business. */
export const UNAUTHORIZED_ACCESS = 'unauthorizedAccess';

/** No answer after this many milliseconds counts as no network. */
const patience = 30_000;

type TokenSource = () => Promise<string | null>;
let tokenSource: TokenSource = async () => null;

/** The session hands in where bearer tokens come from. */
export function setTokenSource(source: TokenSource): void {
  tokenSource = source;
}

interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

interface Options {
  signal?: AbortSignal;
  /** The call outlives the page, e.g. the last place of a page that is being closed. */
  keepalive?: boolean;
  /** Below which address the endpoint lies; below the own API's unless said. */
  base?: string;
}

async function send(
  endpoint: Endpoint,
  address: string,
  body: unknown,
  { signal, keepalive = false }: Options,
) {
  const headers = new Headers({
    accept: 'application/json',
    'accept-language': document.documentElement.lang,
  });
  const token = endpoint.access === 'user' ? await tokenSource() : null;
  if (token) headers.set('authorization', `Bearer ${token}`);
  // A form says by itself what it is.
  if (body !== undefined && !endpoint.form) headers.set('content-type', 'application/json');
  // Events come as long as somebody listens.
  const limits = endpoint.events ? [] : [AbortSignal.timeout(patience)];
  return fetch(address, {
    method: endpoint.method,
    headers,
    keepalive,
    signal: AbortSignal.any(signal ? [signal, ...limits] : limits),
    ...(body !== undefined && { body: endpoint.form ? toFormBody(Object(body)) : JSON.stringify(body) }),
  });
}

async function refusal(answer: Response): Promise<ApiError> {
  const { data } = errorBody.safeParse(await answer.json().catch(() => null));
  const code = data?.error.code ?? '';
  const known = isErrorCode(code) ? code : answer.status >= 500 ? 'unavailable' : 'invalid_request';
  return new ApiError(known, answer.status, data?.error.fields);
}

/**
 * Asks the own API. In: as for `call`. Out: an answer that is no refusal, its body not read yet. Rejects with ApiError, or with
 * the signal's reason when given up.
 */
export async function sendRequest(
  endpoint: Endpoint,
  parts: Parts,
  options: Options = {},
): Promise<Response> {
  const address = (options.base ?? API_BASE) + buildPath(endpoint, parts);
  const early = endpoint.method === 'GET' ? takeEarlyResponse(address) : null;
  const answer = await (early ?? send(endpoint, address, parts.body, options)).catch((reason: unknown) => {
    options.signal?.throwIfAborted();
    throw reason instanceof ApiError ? reason : new ApiError('network', 0);
  });
  if (answer.status === 401) window.dispatchEvent(new Event(UNAUTHORIZED_ACCESS));
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

/**
 * Calls the own API, or the identity provider beside it. In: an endpoint of the contracts, what it needs, optionally
 * where it lies, a signal to give up and whether it outlives the page.
 * Out: its answer, checked against the contract. Rejects with ApiError, or with the signal's reason when given up.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  sent: RequestInput<E>,
  options: Options = {},
): Promise<ResponseBody<E>> {
  const answer = await sendRequest(endpoint, sent as Parts, options);
  const checked = endpoint.response.safeParse(await answer.json().catch(() => undefined));
  options.signal?.throwIfAborted();
  if (!checked.success) throw new ApiError('internal', answer.status);
  return checked.data as ResponseBody<E>;
}
