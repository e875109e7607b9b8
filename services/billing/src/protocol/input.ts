import * as z from 'zod/mini';
import { faults } from '../errors.ts';

/** One line of text that is not empty. */
export const text = (max: number) =>
  z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[^\p{Cc}]*$/u));

/** Parses what a caller sent. Throws 7226 that names the fields at fault, never what was in them. */
export function parsed<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const fields = new Set(result.error.issues.map((issue) => issue.path.join('.') || 'body'));
  throw faults.badRequest(`Not usable: ${[...fields].join(', ')}.`);
}
