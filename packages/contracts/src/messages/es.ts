import type { MessageKey } from './en.ts';
import { errorMessages } from './errors-es.ts';
import { validationMessages } from './validation-es.ts';

/** Spanish messages of error codes and field errors. */
export const es: Record<MessageKey, string> = { ...errorMessages, ...validationMessages };
