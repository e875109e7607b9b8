import type { MessageKey } from './en.ts';
import { errors } from './errors-es.ts';
import { faults } from './validation-es.ts';

/** The words of error codes and field faults in Spanish. */
export const es: Record<MessageKey, string> = { ...errors, ...faults };
