import { type Key, useT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import { errorText } from '../model/error-text.ts';

/** Says at the bottom that a sign-in, sign-up or the like has failed (SHELL-10, AUTH-11). In: the general words. Out: takes what was thrown. */
export function useFailure(general: Key): (error: unknown) => void {
  const t = useT();
  return (error) => toast(errorText(t, error, general), 'error', 'bottom-center');
}
