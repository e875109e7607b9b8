import * as z from 'zod/mini';
import { limits } from './limits.ts';
import type { MessageKey } from './messages/en.ts';

/** Returns a message key for zod's `error`; a key without a message does not compile. */
export const messageKey = (name: MessageKey): MessageKey => name;

// PostgreSQL refuses NUL, and no field needs the others.
const controlCharacters = /^[^\p{Cc}]*$/u;

/** One line of text without control characters, at most `max` characters. */
export const singleLineText = (max: number) =>
  z
    .string(messageKey('field_invalid'))
    .check(
      z.maxLength(max, messageKey('field_too_long')),
      z.regex(controlCharacters, messageKey('field_control_characters')),
    );

/** What a user searches for; empty by default. Without soft hyphens, which texts do not have either. */
export const searchText = z._default(
  singleLineText(limits.search.maxLength).check(z.overwrite((text) => text.replaceAll('\u00ad', ''))),
  '',
);

/** Returns the beginning of a text: at most `max` UTF-16 code units, without half of a character or a space at its end. */
export const truncateText = (text: string, max: number): string =>
  // Half of a character would be stored as a replacement character.
  text
    .slice(0, max)
    .replace(/\p{Cs}/gu, '')
    .trimEnd();

/**
 * Returns a text as `singleLineText` accepts it: with a space for each control character, such as a tab that was pasted, and
 * trimmed.
 */
export const replaceControlCharacters = (text: string): string => text.replace(/\p{Cc}/gu, ' ').trim();

/** A text that matches a pattern. */
export const patternText = (pattern: RegExp) =>
  z.string(messageKey('field_invalid')).check(z.regex(pattern, messageKey('field_invalid')));

/** Returns the checks of a number within bounds. */
const toBounds = (min: number, max: number) => [
  z.minimum(min, messageKey('field_invalid')),
  z.maximum(max, messageKey('field_invalid')),
];

/** A number within bounds. */
export const boundedNumber = (min: number, max: number) =>
  z.number(messageKey('field_invalid')).check(...toBounds(min, max));

/** An integer within bounds. */
export const boundedInteger = (min: number, max: number) =>
  z.number(messageKey('field_invalid')).check(z.int(messageKey('field_invalid')), ...toBounds(min, max));

/** Whether receipts can be sent to an address: looser than the e-mail of an account (BUY-03). */
export const isBillingEmail = (text: string): boolean =>
  text.length <= limits.email.max &&
  /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@.\p{Cc}\p{Cs}]+$/u.test(text);

/** An id as the API hands them out (UUID, lower case). */
export const id = patternText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** A date and time: ISO 8601, UTC. */
export const dateTime = z.iso.datetime();

/** The names of a browser and its operating system, as users know them; null where unknown. */
export const device = z.nullable(z.object({ browser: z.string(), system: z.string() }));
export type Device = z.infer<typeof device>;

/** An integer in a query string, within bounds, with a default. */
export const integerParam = ({ min, max, default: initial }: { min: number; max: number; default: number }) =>
  z._default(
    z.coerce
      .number(messageKey('field_invalid'))
      .check(z.int(messageKey('field_invalid')), ...toBounds(min, max)),
    initial,
  );

/** A playback position, in seconds. */
export const seconds = boundedNumber(0, limits.positionSeconds.max);

/** Query parameters of every paginated list. */
export const pagination = {
  page: integerParam({ min: 1, max: limits.page.max, default: limits.page.default }),
  limit: integerParam({ min: 1, max: limits.pageSize.max, default: limits.pageSize.default }),
};

/** The response of a list: the documents of the page and the total number. */
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
