import { ApiError, errorKey } from '#shared/api/api-error.ts';
import type { Key, T } from '#shared/i18n/i18n.ts';
import { identityWords } from './identity-words.ts';

// Names that say something of our code, not to a reader.
const nameless = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'Unknown'];

/**
 * The words of a toast when sign-in, sign-up or the like has failed (AUTH-11, section 8). In: `t`, what was thrown, the
 * general words. Out: ours where we have them, else the provider's own message, else the general words.
 */
export function errorText(t: T, error: unknown, general: Key): string {
  if (error instanceof ApiError) return t(errorKey(error));
  const known = identityWords(error);
  if (known) return t(known);
  const told = error instanceof Error && !nameless.includes(error.name) ? error.message : '';
  return told || t(general);
}
