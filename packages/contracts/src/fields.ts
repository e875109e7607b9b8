import * as z from 'zod/mini';
import { limits } from './limits.ts';
import type { MessageKey } from './messages/en.ts';

/** A message key where zod wants a message: a key that does not exist does not compile. */
export const messageKey = (name: MessageKey): MessageKey => name;

// PostgreSQL refuses NUL, and no field of ours has use for the others.
const controlCharacters = /^[^\p{Cc}]*$/u;

/** One line of text without control characters, at most `max` characters. */
export const singleLineText = (max: number) =>
  z
    .string(messageKey('field_invalid'))
    .check(
      z.maxLength(max, messageKey('field_too_long')),
      z.regex(controlCharacters, messageKey('field_control_characters')),
    );

/** An id as the API hands them out (UUID, lower case). */
export const id = z
  .string(messageKey('field_invalid'))
  .check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, messageKey('field_invalid')));

/** A moment on the wire: ISO 8601, UTC. */
export const dateTime = z.iso.datetime();

/** A whole number in a query string, within bounds, with a default. */
export const integerParam = (bounds: { min: number; max: number; default: number }) =>
  z._default(
    z.coerce
      .number(messageKey('field_invalid'))
      .check(
        z.int(messageKey('field_invalid')),
        z.minimum(bounds.min, messageKey('field_invalid')),
        z.maximum(bounds.max, messageKey('field_invalid')),
      ),
    bounds.default,
  );

/** `page` and `limit` of every list. */
export const pagination = {
  page: integerParam({ min: 1, max: limits.page.max, default: limits.page.default }),
  limit: integerParam({ min: 1, max: limits.pageSize.max, default: limits.pageSize.default }),
};

/** A list answer: the page's documents and how many there are in all. */
export const listResponse = <Doc extends z.ZodMiniType>(doc: Doc) =>
  z.object({ docs: z.array(doc), totalDocs: z.number() });

/** A JSON object sent as text in a query string (`filter`, `sorter`). */
export const jsonParam = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.pipe(
      singleLineText(2000),
      z.transform((text, context) => {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          context.issues.push({ code: 'custom', message: messageKey('field_invalid'), input: text });
          return z.NEVER;
        }
      }),
    ),
    schema,
  );
