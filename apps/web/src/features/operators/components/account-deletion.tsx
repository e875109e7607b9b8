import { api, type OperatorLink, operatorNames } from '@escucho/contracts';
import { useState } from 'react';
import { ApiError, call } from '#shared/api/client.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/dialog.tsx';
import { toast, toastError } from '#shared/ui/toast.tsx';

/** `offer`: the dialog is closed. */
type Step = 'offer' | 'confirm' | 'deleting' | 'deleted';

const focus = (element: HTMLElement | null) => element?.focus();

/** Deletes the account of a link's subscriber, who cannot sign in without a plan (SHELL-09). */
export function AccountDeletion({ link }: { link: OperatorLink }) {
  const t = useT();
  const operator = operatorNames[link.platform];
  const [step, setStep] = useState<Step>('offer');
  if (step === 'deleted')
    return (
      // The focused button disappears. A status that is inserted together with its text may not be announced.
      <p ref={focus} role="status" tabIndex={-1} className="outline-none">
        {t('operator.accountDeleted')}
      </p>
    );

  const deleteAccount = async () => {
    setStep('deleting');
    try {
      await call(api.operators.deleteAccountByLink, { body: link });
      setStep('deleted');
    } catch (error) {
      setStep('offer');
      if (error instanceof ApiError && error.code === 'not_found')
        toast(t('operator.noAccount', { operator }), 'error', 'bottom-center');
      else toastError(error);
    }
  };
  return (
    <>
      <p className="text-sm text-muted text-pretty">{t('operator.deleteAccountText')}</p>
      <Button variant="softDanger" className="w-full" onClick={() => setStep('confirm')}>
        {t('operator.deleteAccount')}
      </Button>
      {step !== 'offer' && (
        <ConfirmDialog
          title="operator.deleteAccountTitle"
          subtitle="operator.deleteAccountSubtitle"
          ok="operator.deleteAccount"
          cancel={step === 'confirm' ? 'common.cancel' : null}
          isDanger
          busy={step === 'deleting'}
          onOk={() => void deleteAccount()}
          onCancel={() => setStep((current) => (current === 'confirm' ? 'offer' : current))}
        />
      )}
    </>
  );
}
