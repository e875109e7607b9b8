import { forgotPasswordForm, resetPasswordForm } from '@escucho/contracts';
import { useEffect } from 'react';
import {
  CodeField,
  EmailField,
  NewPasswordField,
  ResendCode,
  useErrorToast,
} from '#features/session/components/form-fields.tsx';
import { preloadIdentityClient, requestPasswordReset, resetPassword } from '#features/session/sign-in.ts';
import { useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { navigate, useQueryParams } from '#shared/location.tsx';
import { addQuery, paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { AuthCard, BackToSignIn, OutboxHint } from './auth-card.tsx';

/** Sends a code for setting a new password (AUTH-07). */
export function ForgotPasswordPage() {
  const t = useT();
  const [query] = useQueryParams();
  const { form, field, submit, busy, reject } = useForm(forgotPasswordForm, {
    email: query.get('email') ?? '',
  });
  const showError = useErrorToast('internal', reject);
  useEffect(preloadIdentityClient, []);

  const onSubmit = submit(async ({ email }) => {
    await requestPasswordReset(email);
    navigate(addQuery(paths.resetPassword, { email, returnTo: query.get('returnTo') }));
  }, showError);

  return (
    <AuthCard title={t('session.forgotTitle')} text={t('session.forgotText')} foot={<BackToSignIn />}>
      <form ref={form} noValidate method="post" onSubmit={onSubmit} className="grid gap-4">
        <EmailField {...field('email')} />
        <Button type="submit" variant="solid" busy={busy} className="mt-1">
          {t('session.sendCode')}
        </Button>
      </form>
    </AuthCard>
  );
}

/** Sets a new password by the code that was sent; the user then signs in with it (AUTH-07). */
export function ResetPasswordPage() {
  const t = useT();
  const [query] = useQueryParams();
  const { form, field, submit, busy, reject, check, values } = useForm(resetPasswordForm, {
    email: query.get('email') ?? '',
    code: '',
    password: '',
  });
  const showError = useErrorToast('internal', reject);
  useEffect(preloadIdentityClient, []);

  const onSubmit = submit(async (values) => {
    await resetPassword(values);
    const to = addQuery(paths.signIn, { email: values.email, returnTo: query.get('returnTo') });
    navigate(to, { state: { notice: 'passwordSaved' } });
  }, showError);

  return (
    <AuthCard title={t('session.resetTitle')} text={t('session.resetText')} foot={<BackToSignIn />}>
      <form ref={form} noValidate method="post" onSubmit={onSubmit} className="grid gap-4">
        <EmailField {...field('email')} />
        <CodeField {...field('code')} />
        <NewPasswordField label={t('session.newPassword')} {...field('password')} />
        <Button type="submit" variant="solid" busy={busy} className="mt-1">
          {t('session.savePassword')}
        </Button>
        <ResendCode getEmail={() => (check('email') ? values.email : null)} onResend={requestPasswordReset} />
      </form>
      <OutboxHint />
    </AuthCard>
  );
}
