import { errors } from './errors-en.ts';
import { faults } from './validation-en.ts';

/** English messages of error codes and field errors; schemas and errors refer to their keys. */
export const en = { ...errors, ...faults };

export type MessageKey = keyof typeof en;

/** Whether a text is a key of the words. */
export function isMessageKey(text: string): text is MessageKey {
  return Object.hasOwn(en, text);
}
