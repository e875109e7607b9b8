import qs from 'qs';
import * as z from 'zod/mini';
import { Refusal } from './refusal.ts';

/** A form as Stripe's library writes it: `items[0][price]=…`, `metadata[key]=…`. */
export const readForm = (form: string): Record<string, unknown> =>
  qs.parse(form, { depth: 8, arrayLimit: 100, parameterLimit: 2000 });

const digits = z.string().check(z.regex(/^-?\d+$/));

/** Kinds of parameters, as they come in forms: all of them are texts. */
export const text = z.string();
export const whole = z.pipe(
  digits,
  z.transform((value) => Number(value)),
);
export const yesNo = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
);
export const metadata = z.record(z.string(), z.string());
export const maybe = z.optional;
/** What is subscribed to. */
export const items = z.array(z.strictObject({ price: text, quantity: maybe(whole) }));

/** How many of a list are wanted, and from where on. */
export const page = { limit: maybe(whole), starting_after: maybe(text), ending_before: maybe(text) };

const nameOf = (path: readonly PropertyKey[]) =>
  path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');

/**
 * What a call takes. Throws, as Stripe refuses: parameters that it does not know, that are missing, or that are not what
 * they should be.
 */
export function checked<Schema extends z.ZodMiniType>(schema: Schema, fields: unknown): z.output<Schema> {
  const read = z.safeParse(schema, fields);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const inner = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const param = nameOf([...(issue?.path ?? []), ...inner]);
  if (issue?.code === 'unrecognized_keys') {
    throw new Refusal(400, {
      code: 'parameter_unknown',
      param,
      message: `Received unknown parameter: ${param}`,
    });
  }
  const isMissing = issue?.code === 'invalid_type' && issue.input === undefined;
  throw new Refusal(400, {
    code: isMissing ? 'parameter_missing' : 'parameter_invalid',
    ...{ param, message: isMissing ? `Missing required param: ${param}.` : `Invalid ${param}` },
  });
}
