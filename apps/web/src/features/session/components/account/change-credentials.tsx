import { changePasswordForm, codeForm, forgotPasswordForm } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import {
  changePassword,
  confirmEmailChange,
  endEmailChange,
  requestEmailChange,
  resendEmailCode,
  sessionsQuery,
  usePendingEmail,
} from '#features/session/account.ts';
import { findIdentityErrorKey } from '#features/session/model/error-text.ts';
import { useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { Dialog, DialogActions, useIsMounted } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.tsx';
import {
  CodeField,
  EmailField,
  NewPasswordField,
  PasswordField,
  ResendCode,
  toastAccountError,
} from '../form-fields.tsx';

/** Changes the password by the current one; the provider signs out every other device. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const { field, submit, busy } = useForm(
    changePasswordForm,
    { current: '', password: '' },
    { takesFocus: true },
  );
  const isOpen = useIsMounted();

  const form = submit(
    async (values) => {
      await changePassword(values);
      void client.invalidateQueries(sessionsQuery);
      toast(t('account.passwordChanged'));
      if (isOpen.current) onClose();
    },
    (error, reject) => {
      if (findIdentityErrorKey(error) !== 'session.wrongPassword') return toastAccountError(error, reject);
      const text = t('account.wrongCurrent');
      if (isOpen.current) reject('current', text);
      else toast(text, 'error', 'bottom-center');
    },
  );

  return (
    <Dialog title={t('account.changePassword')} onClose={onClose}>
      <form {...form} className="grid gap-4">
        <PasswordField
          label={t('account.currentPassword')}
          autoComplete="current-password"
          {...field('current')}
        />
        <NewPasswordField label={t('session.newPassword')} {...field('password')} />
        <DialogActions submitLabel={t('session.savePassword')} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface ChangeEmailProps {
  currentEmail: string | null;
  onClose: () => void;
}

/** Changes the e-mail address: first the new address, then the code sent to it, also when it is opened again. */
export function ChangeEmailDialog({ currentEmail, onClose }: ChangeEmailProps) {
  const t = useT();
  const newEmail = usePendingEmail();
  return (
    <Dialog title={t('account.changeEmail')} onClose={onClose}>
      {newEmail === null ? (
        <NewEmailForm currentEmail={currentEmail} onClose={onClose} />
      ) : (
        <ConfirmEmailForm email={newEmail} onClose={onClose} />
      )}
    </Dialog>
  );
}

function NewEmailForm({ currentEmail, onClose }: ChangeEmailProps) {
  const t = useT();
  const { field, submit, busy, reject } = useForm(forgotPasswordForm, { email: '' }, { takesFocus: true });
  const form = submit(async ({ email }) => {
    if (email.toLowerCase() === currentEmail?.toLowerCase()) return reject('email', t('account.sameEmail'));
    await requestEmailChange(email);
  }, toastAccountError);
  return (
    <form {...form} className="grid gap-4">
      <p className="text-muted text-pretty">{t('account.emailText')}</p>
      <EmailField {...field('email')} label={t('account.newEmail')} autoComplete="email" />
      <DialogActions submitLabel={t('session.sendCode')} busy={busy} onCancel={onClose} />
    </form>
  );
}

interface ConfirmEmailProps {
  email: string;
  onClose: () => void;
}

function ConfirmEmailForm({ email, onClose }: ConfirmEmailProps) {
  const t = useT();
  const { field, submit, busy } = useForm(codeForm, { code: '' }, { takesFocus: true });
  const isOpen = useIsMounted();
  const form = submit(async ({ code }) => {
    await confirmEmailChange(code);
    toast(t('account.emailChanged', { email }));
    if (isOpen.current) onClose();
    endEmailChange();
  }, toastAccountError);
  return (
    <form {...form} className="grid gap-4">
      <p className="text-muted text-pretty wrap-anywhere">{t('account.emailSent', { email })}</p>
      <CodeField {...field('code')} />
      <DialogActions
        submitLabel={t('session.confirm')}
        busy={busy}
        cancelLabel={t('account.otherAddress')}
        onCancel={endEmailChange}
      />
      <ResendCode getEmail={() => email} onResend={resendEmailCode} />
    </form>
  );
}
