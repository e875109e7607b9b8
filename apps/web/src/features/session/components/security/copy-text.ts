import { getT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.tsx';

/** Copies a text to the clipboard, and shows whether that worked; browsers refuse it on pages without HTTPS. */
export async function copyText(text: string): Promise<void> {
  const t = getT();
  try {
    await navigator.clipboard.writeText(text);
    toast(t('security.copied'));
  } catch {
    toast(t('security.copyFailed'), 'error');
  }
}
