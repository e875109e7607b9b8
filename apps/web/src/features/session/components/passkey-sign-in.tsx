import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { completeSignIn } from '../session.ts';
import { offerPasskeys, signInWithPasskey } from '../sign-in.ts';
import { useErrorToast } from './form-fields.tsx';

/** Sign-in with a passkey: by a button, and in the autofill of the e-mail field where the browser has it. */
export function PasskeySignIn({ isAvailable }: { isAvailable: boolean }) {
  const t = useT();
  const showError = useErrorToast('session.signInFailed');
  const [busy, setBusy] = useState(false);
  const handleError = useEffectEvent(showError);

  // A page has one request for a passkey at a time: the button's ends the autofill's, which starts again after a failure.
  useEffect(() => {
    if (busy || !isAvailable) return;
    const controller = new AbortController();
    offerPasskeys(controller.signal)
      .then((hasTokens) => (hasTokens ? completeSignIn() : undefined))
      .catch(handleError);
    return () => controller.abort();
  }, [busy, isAvailable]);

  const signIn = () => {
    setBusy(true);
    signInWithPasskey()
      .then(completeSignIn)
      .catch((error: unknown) => {
        showError(error);
        setBusy(false);
      });
  };

  return (
    <Button busy={busy} disabled={!isAvailable} onClick={signIn} className="mt-4 w-full">
      <KeyRound aria-hidden className="size-5" />
      {t('session.withPasskey')}
    </Button>
  );
}
