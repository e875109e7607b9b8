import { codeForm, forgotPasswordForm } from '@escucho/contracts';
import { useState } from 'react';
import { askForEmail, confirmEmail, resendEmailCode } from '#features/session/own-account.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.ts';
import { useForm } from '#shared/use-form.ts';
import { CodeField } from '../code-field.tsx';
import { EmailField } from '../email-field.tsx';
import { ResendCode } from '../resend-code.tsx';
import { useFailure } from '../use-failure.ts';

interface Props {
  present: string | null;
  onClose: () => void;
}

/** Another address: first which, then the code that proves it. */
export function ChangeEmail({ present, onClose }: Props) {
  const t = useT();
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <Dialog title={t('account.changeEmail')} onClose={onClose}>
      {asked === null ? (
        <AskForEmail present={present} onAsked={setAsked} onClose={onClose} />
      ) : (
        <ProveEmail email={asked} onOther={() => setAsked(null)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function AskForEmail({ present, onAsked, onClose }: Props & { onAsked: (email: string) => void }) {
  const t = useT();
  const { form, field, submit, busy } = useForm(forgotPasswordForm, { email: '' });
  const failed = useFailure('internal');
  const send = submit(async ({ email }) => {
    if (email.toLowerCase() === present?.toLowerCase())
      return toast(t('account.sameEmail'), 'message', 'bottom-center');
    await askForEmail(email);
    onAsked(email);
  }, failed);
  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
      <p className="text-muted text-pretty">{t('account.emailText')}</p>
      <EmailField {...field('email')} label={t('account.newEmail')} autoComplete="email" />
      <div className="mt-2 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="solid" busy={busy}>
          {t('session.sendCode')}
        </Button>
      </div>
    </form>
  );
}

function ProveEmail({
  email,
  onOther,
  onClose,
}: {
  email: string;
  onOther: () => void;
  onClose: () => void;
}) {
  const t = useT();
  const { form, field, submit, busy } = useForm(codeForm, { code: '' });
  const failed = useFailure('internal');
  const send = submit(async ({ code }) => {
    await confirmEmail(code);
    toast(t('account.emailChanged', { email }));
    onClose();
  }, failed);
  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
      <p className="text-muted text-pretty wrap-anywhere">{t('account.emailSent', { email })}</p>
      <CodeField {...field('code')} />
      <div className="mt-2 flex flex-wrap justify-end gap-3">
        <Button onClick={onOther}>{t('account.otherAddress')}</Button>
        <Button type="submit" look="solid" busy={busy}>
          {t('session.confirm')}
        </Button>
      </div>
      <ResendCode email={() => email} send={resendEmailCode} />
    </form>
  );
}
