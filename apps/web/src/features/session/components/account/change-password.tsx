import { changePasswordForm } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { identityWords } from '#features/session/model/identity-words.ts';
import { changePassword, sessionsQuery } from '#features/session/own-account.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.ts';
import { useForm } from '#shared/use-form.ts';
import { PasswordChecklist } from '../password-checklist.tsx';
import { PasswordField } from '../password-field.tsx';
import { useFailure } from '../use-failure.ts';

/** A new password by the one before; every other device is signed out. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const { form, field, submit, busy, values } = useForm(changePasswordForm, { current: '', password: '' });
  const failed = useFailure('internal');

  const send = submit(
    async (values) => {
      await changePassword(values);
      void client.invalidateQueries(sessionsQuery);
      toast(t('account.passwordChanged'));
      onClose();
    },
    (error) =>
      identityWords(error) === 'session.wrongPassword'
        ? toast(t('account.wrongCurrent'), 'error', 'bottom-center')
        : failed(error),
  );

  return (
    <Dialog title={t('account.changePassword')} onClose={onClose}>
      <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
        <PasswordField
          label={t('account.currentPassword')}
          autoComplete="current-password"
          {...field('current')}
        />
        <PasswordField label={t('session.newPassword')} autoComplete="new-password" {...field('password')} />
        <PasswordChecklist password={values.password} />
        <div className="mt-2 flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="solid" busy={busy}>
            {t('session.savePassword')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
