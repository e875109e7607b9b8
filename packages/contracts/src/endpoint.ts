import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { RateLimitName } from './rate-limits.ts';

/** An endpoint as data: the server registers it, the web app calls it, and OpenAPI is generated from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api; parameters as `:name`. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** `user` requires a valid bearer token; `public` ignores tokens. */
  readonly access: 'user' | 'public';
  /** A sign-in older than `limits.recentSignIn` is refused with `reauthentication_required` (RFC 9470). */
  readonly requiresRecentSignIn?: true;
  /** The limits of its requests; `none` where the caller proves by a key that it is a server. */
  readonly rateLimit: RateLimitName | 'none';
  /** For how long caches may reuse a successful response, which is the same for everybody; not at all by default. */
  readonly maxAgeSeconds?: number;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The body is a form, urlencoded or multipart, of text fields; a repeated name is a list. */
  readonly form?: true;
  /** The response is a stream of server-sent events (`text/event-stream`); `response` is the JSON of each event's data. */
  readonly events?: true;
  readonly response: z.ZodMiniType;
  /** Codes beyond those of every endpoint (invalid_request, unauthorized, internal …); none by default. */
  readonly errors?: readonly ErrorCode[];
}

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;
type Input<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined;
type Present<T> = { [Name in keyof T as T[Name] extends undefined ? never : Name]: T[Name] };

/** The parsed params, query and body that a handler receives. */
export interface ParsedRequest<E extends Endpoint> {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
}

/** The parts of a request that the endpoint has, before parsing. */
export type RequestInput<E extends Endpoint> = Present<{
  params: Input<E['params']>;
  query: Input<E['query']>;
  body: Input<E['body']>;
}>;

/** The parsed body of a successful response. */
export type ResponseBody<E extends Endpoint> = z.output<E['response']>;

type Definition = Omit<Endpoint, 'access' | 'rateLimit'> & Partial<Pick<Endpoint, 'access' | 'rateLimit'>>;

type WithDefaults<D extends Definition> = D & {
  readonly access: D['access'] extends 'public' ? 'public' : 'user';
  readonly rateLimit: RateLimitName | 'none';
};

/**
 * Declares an endpoint, preserving its exact type. Unless stated, it requires a user, and requests count towards the limit
 * `read` (GET) or `write`.
 */
export const endpoint = <const D extends Definition>(definition: D) =>
  ({
    access: 'user',
    rateLimit: definition.method === 'GET' ? 'read' : 'write',
    ...definition,
  }) as WithDefaults<D>;

/**
 * Builds the path and query string of a request, relative to the API's base URL.
 *
 * @param input - `params` fill the path; in `query`, objects become JSON and undefined values are omitted
 */
export function buildPath(
  target: Pick<Endpoint, 'path'>,
  input: { params?: Record<string, unknown>; query?: Record<string, unknown> } = {},
): string {
  const path = target.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined)
      search.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Builds a form body. A list repeats its name; undefined values are omitted. */
export function toFormBody(fields: Record<string, unknown>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values) if (each !== undefined) form.append(name, String(each));
  }
  return form;
}
