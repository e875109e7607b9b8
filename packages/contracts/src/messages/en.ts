import { errorMessages } from './errors-en.ts';
import { validationMessages } from './validation-en.ts';

/** English messages of error codes and field errors; schemas and errors refer to their keys. */
export const en = { ...errorMessages, ...validationMessages };

export type MessageKey = keyof typeof en;

/** Returns whether a text is a message key. */
export function isMessageKey(text: string): text is MessageKey {
  return Object.hasOwn(en, text);
}
