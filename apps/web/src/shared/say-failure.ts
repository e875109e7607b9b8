import { ApiError, errorKey } from './api/client.ts';
import { currentT } from './i18n/i18n.ts';
import { toast } from './ui/toast.ts';

/** Says why a call failed: in the server's words where it names a field at fault, such as a limit. */
export function sayFailure(error: unknown): void {
  const words = error instanceof ApiError ? error.fields[0]?.message : undefined;
  toast(words ?? currentT()(errorKey(error)), 'error');
}
