import { useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { toast } from '#shared/ui/toast.ts';
import { resendCode } from '../identity.ts';
import { useCoolDown } from './use-cool-down.ts';
import { useFailure } from './use-failure.ts';

const pause = 30;

/** Asks for the code again (AUTH-05), at most every 30 seconds. In: gives the e-mail, or null after showing what is wrong with it; how it is sent. */
export function ResendCode({
  email,
  send = resendCode,
}: {
  email: () => string | null;
  send?: (email: string) => Promise<void>;
}) {
  const t = useT();
  const failed = useFailure('internal');
  const [busy, setBusy] = useState(false);
  const [left, coolDown] = useCoolDown(pause);
  const resend = async () => {
    const to = email();
    if (to === null) return;
    setBusy(true);
    try {
      await send(to);
      toast(t('session.resent'), 'success', 'bottom-center');
      coolDown();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="ghost" busy={busy} disabled={left > 0} onClick={() => void resend()}>
      {left > 0 ? t('session.resendWait', { seconds: left }) : t('session.resend')}
    </Button>
  );
}
