import qs from 'qs';
import * as z from 'zod/mini';
import { type Account, StripeApiError } from './account.ts';
import type { ObjectType, StripeObjects } from './objects.ts';

/** Parses a form as Stripe's library encodes it: `items[0][price]=…`, `metadata[key]=…`. */
export const parseForm = (form: string): Record<string, unknown> =>
  qs.parse(form, { depth: 8, arrayLimit: 100, parameterLimit: 2000 });

const digits = z.string().check(z.regex(/^-?\d+$/));

// Parameters arrive as form fields, so every schema begins with a string.
export const text = z.string();
export const integer = z.pipe(
  digits,
  z.transform((value) => Number(value)),
);
export const bool = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
);
export const metadata = z.record(z.string(), z.string());
export const optional = z.optional;
export const items = z.array(z.strictObject({ price: text }));

/** The pagination parameters of every list. */
export const page = { limit: optional(integer), starting_after: optional(text) };

const toParamName = (path: readonly PropertyKey[]) =>
  path.map((segment, index) => (index === 0 ? String(segment) : `[${String(segment)}]`)).join('');

/** Validates parameters. Throws Stripe's error for one that is unknown, missing or invalid. */
function parseParams<Schema extends z.ZodMiniType>(schema: Schema, fields: unknown): z.output<Schema> {
  const result = z.safeParse(schema, fields);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const inner = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const param = toParamName([...(issue?.path ?? []), ...inner]);
  if (issue?.code === 'unrecognized_keys') {
    throw new StripeApiError(400, {
      code: 'parameter_unknown',
      param,
      message: `Received unknown parameter: ${param}`,
    });
  }
  const isMissing = issue?.code === 'invalid_type' && issue.input === undefined;
  throw new StripeApiError(400, {
    code: isMissing ? 'parameter_missing' : 'parameter_invalid',
    param,
    message: isMissing ? `Missing required param: ${param}.` : `Invalid ${param}`,
  });
}

/** A route of Stripe's API. `handle` receives the raw fields without `expand`, and the id of the path. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  handle: (fields: unknown, id: string) => object;
}

/** Defines a route that accepts exactly the parameters of `shape`. */
export function route<Shape extends z.core.$ZodShape>(
  method: Route['method'],
  path: string,
  shape: Shape,
  handle: (fields: z.output<z.ZodMiniObject<Shape>>, id: string) => object,
): Route {
  const schema = z.strictObject(shape);
  return { method, path, handle: (fields, id) => handle(parseParams(schema, fields), id) };
}

/** Defines the route that retrieves one object by its id. */
export const retrieveRoute = (account: Account, path: string, type: ObjectType): Route =>
  route('GET', `${path}/:id`, {}, (_, id) => account.get(type, id));

/** Returns one page of objects, newest first; ten without a `limit`. */
export function paginate<K extends ObjectType>(
  account: Account,
  type: K,
  matches: (object: StripeObjects[K]) => boolean,
  { limit = 10, starting_after: after }: { limit?: number | undefined; starting_after?: string | undefined },
) {
  const found = account.list(type).filter(matches).reverse();
  const from = found.findIndex(({ id }) => id === after) + 1;
  const data = found.slice(from, from + limit);
  return { object: 'list', data, has_more: from + data.length < found.length };
}

/** Whether a value matches an optional filter. */
export const isMatch = (filter: string | boolean | undefined, value: unknown) =>
  filter === undefined || filter === value;
