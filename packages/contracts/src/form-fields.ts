import * as z from 'zod/mini';
import { id, messageKey } from './fields.ts';
import type { MessageKey } from './messages/en.ts';

/** A boolean in a form. */
export const booleanField = z.pipe(
  z.enum(['true', 'false'], messageKey('field_invalid')),
  z.transform((text) => text === 'true'),
);

const splitList = (text: string): unknown =>
  text.trimStart().startsWith('[') ? JSON.parse(text) : text.split(',');

/** A list in a form: a repeated name, comma-separated texts, or a JSON array. */
export const textList = z.pipe(
  z.union([z.string(), z.array(z.string())], messageKey('field_invalid')),
  z.pipe(
    z.transform((input: string | string[], context) => {
      try {
        return [input]
          .flat()
          .flatMap(splitList)
          .filter((text) => text !== '');
      } catch {
        context.issues.push({ code: 'custom', message: messageKey('field_invalid'), input });
        return z.NEVER;
      }
    }),
    z.array(z.string(messageKey('field_invalid'))),
  ),
);

/** Distinct ids in a form, in order; more than `max` fail with `message`. */
export const idList = ({ max, message }: { max: number; message: MessageKey }) =>
  z.pipe(
    textList,
    z.pipe(
      z.transform((texts: string[]) => [...new Set(texts)]),
      z.array(id).check(z.maxLength(max, message)),
    ),
  );
