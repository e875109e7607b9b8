import { codeForm } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfig } from '#shared/config.ts';
import { useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { Dialog, DialogActions } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { normalizeAppCode } from '../../model/challenge.ts';
import { findIdentityErrorKey } from '../../model/error-text.ts';
import {
  authenticatorQuery,
  createRecoveryCodes,
  recoveryCodesQuery,
  turnOnAuthenticator,
} from '../../security.ts';
import { CodeField, useErrorToast } from '../form-fields.tsx';
import { AuthenticatorKey } from './authenticator-key.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface Props {
  secret: string;
  account: string;
  onClose: () => void;
}

/** Sets up an authenticator app: the key, a code of the app, then the recovery codes where the provider has them. */
export function AuthenticatorSetupDialog({ secret, account, onClose }: Props) {
  const t = useT();
  const client = useQueryClient();
  const hasRecoveryCodes = useConfig()?.identity.recoveryCodes === true;
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { form, field, submit, busy, reject } = useForm(codeForm, { code: '' });
  const showError = useErrorToast('internal', reject);

  // The section shows the new state once the dialog is closed.
  const close = () => {
    onClose();
    void client.invalidateQueries(authenticatorQuery);
    void client.invalidateQueries(recoveryCodesQuery);
  };
  const onSubmit = submit(
    async ({ code }) => {
      await turnOnAuthenticator(normalizeAppCode(code));
      toast(t('security.appIsOn'));
      // Without codes the section still offers them.
      const created = hasRecoveryCodes ? await createRecoveryCodes().catch(() => null) : null;
      if (created) setCodes(created);
      else close();
    },
    (error) =>
      findIdentityErrorKey(error) === 'session.codeWrong'
        ? reject('code', t('challenge.checkAppCode'))
        : showError(error),
  );

  if (codes)
    return (
      // Another dialog, which takes the focus from the button that is gone.
      <Dialog key="codes" title={t('security.saveRecoveryTitle')} onClose={close}>
        <RecoveryCodes codes={codes} onDone={close} />
      </Dialog>
    );
  return (
    <Dialog title={t('security.setUpAppTitle')} onClose={onClose}>
      <form ref={form} noValidate method="post" onSubmit={onSubmit} className="grid gap-4">
        <AuthenticatorKey secret={secret} account={account} />
        <CodeField {...field('code')} label={t('challenge.appCode')} hint={t('security.enterCodeText')} />
        <DialogActions submitLabel={t('security.turnOn')} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
