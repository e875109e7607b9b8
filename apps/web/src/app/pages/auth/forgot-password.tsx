import { forgotPasswordForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { EmailField, useErrorToast } from '#features/session/components/form-fields.tsx';
import { preloadIdentityClient, requestPasswordReset } from '#features/session/sign-in.ts';
import { useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { navigate, useQueryParams } from '#shared/location.tsx';
import { addQuery, paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { AuthCard, BackToSignIn } from './auth-card.tsx';

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
