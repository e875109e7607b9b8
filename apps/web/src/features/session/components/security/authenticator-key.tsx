import { Copy } from 'lucide-react';
import { useId } from 'react';
import { getT, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { LazySection } from '#shared/ui/lazy-boundary.tsx';
import { Skeleton } from '#shared/ui/states.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { toTotpUri } from '../../model/challenge.ts';

const QrCode = lazyComponent(async () => (await import('./qr-code.tsx')).QrCode);

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

/** Groups a key by four characters, which is easier to type. */
const groupKey = (key: string): string => key.match(/.{1,4}/g)?.join(' ') ?? key;

interface Props {
  secret: string;
  /** The e-mail address, by which the app lists the code. */
  account: string;
}

/** The key of an authenticator app, as a QR code and as text. */
export function AuthenticatorKey({ secret, account }: Props) {
  const t = useT();
  const id = useId();
  return (
    <div className="grid gap-4">
      <p className="text-muted text-pretty">{t('security.scanText')}</p>
      <LazySection fallback={<Skeleton className="mx-auto size-48" />}>
        <QrCode text={toTotpUri(secret, t('common.appName'), account)} label={t('security.qrCode')} />
      </LazySection>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          {t('security.keyText')}
        </label>
        <div className="relative">
          {/* Of several lines: who types the key on another device sees it whole. */}
          <textarea
            id={id}
            readOnly
            rows={2}
            value={groupKey(secret)}
            className="field field-sizing-content block resize-none pr-12 font-mono"
          />
          <div className="absolute inset-y-0 right-1 grid place-items-center">
            <IconButton label={t('security.copyKey')} onClick={() => void copyText(secret)}>
              <Copy />
            </IconButton>
          </div>
        </div>
      </div>
    </div>
  );
}
