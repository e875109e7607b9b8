import type * as z from 'zod/mini';
import type { Clock } from './clock.ts';
import { errorOfAnswer, PurchasesError } from './errors.ts';
import { isSandboxKey } from './identifiers.ts';

/** The version this client speaks of itself. */
const version = '0.1.0';

/** No answer after so many milliseconds counts as no network. */
const patience = 30_000;

export interface TransportOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  fetch: (address: string, init: RequestInit) => Promise<Response>;
  clock: Clock;
}

interface Asked {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  signal?: AbortSignal | undefined;
}

/** Calls the provider. Out: its answer as the schema has it. Rejects with PurchasesError, or the signal's reason. */
export type Transport = <Schema extends z.ZodMiniType>(
  asked: Asked,
  schema: Schema,
) => Promise<z.output<Schema>>;

/** The way to the provider: the headers of section 7, one time limit, every failure a PurchasesError (SUB-06). */
export function createTransport({ baseUrl, apiKey, fetch, clock }: TransportOptions): Transport {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'x-platform': 'web',
    'x-version': version,
    'x-is-sandbox': String(isSandboxKey(apiKey)),
  };

  /** The status and the JSON of an answer that came in time; the JSON undefined where it is none. */
  async function send({ method, path, body, signal }: Asked): Promise<{ status: number; json: unknown }> {
    const limit = new AbortController();
    const done = new AbortController();
    clock.wait(patience, done.signal).then(
      () => limit.abort(),
      () => undefined,
    );
    try {
      const answer = await fetch(baseUrl + path, {
        method,
        headers,
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, json: jsonOf(text) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw new PurchasesError('NetworkError', 'The billing provider did not answer.', { cause });
    } finally {
      done.abort();
    }
  }

  return async (asked, schema) => {
    const { status, json } = await send(asked);
    if (status >= 400) throw errorOfAnswer(status, json);
    const checked = schema.safeParse(json);
    if (checked.success) return checked.data;
    throw new PurchasesError(
      'UnexpectedBackendResponseError',
      `${asked.method} ${asked.path} answered something else.`,
    );
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
