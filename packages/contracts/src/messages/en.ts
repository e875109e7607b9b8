import { errors } from './errors-en.ts';
import { faults } from './validation-en.ts';

/** The words of error codes and field faults in English; the keys are what schemas and errors name. */
export const en = { ...errors, ...faults };

export type MessageKey = keyof typeof en;

/** Whether a text is a key of the words. */
export function isMessageKey(text: string): text is MessageKey {
  return Object.hasOwn(en, text);
}
