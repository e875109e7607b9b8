import type { MessageKey } from './en.ts';
import { errors } from './errors-es.ts';
import { faults } from './validation-es.ts';

/** Spanish messages of error codes and field errors. */
export const es: Record<MessageKey, string> = { ...errors, ...faults };
