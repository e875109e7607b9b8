import { resetPasswordForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { useForm } from '#shared/use-form.ts';
import { prepareIdentity, resetPassword } from '../identity.ts';
import { CodeField } from './code-field.tsx';
import { EmailField } from './email-field.tsx';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { useFailure } from './use-failure.ts';

/** The code and the new password; sign-in comes next (AUTH-07). */
export function ResetPasswordForm() {
  const t = useT();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { form, field, submit, busy, values } = useForm(resetPasswordForm, {
    email: query.get('email') ?? '',
    code: '',
    password: '',
  });
  const failed = useFailure('internal');
  useEffect(prepareIdentity, []);

  const send = submit(async (values) => {
    await resetPassword(values);
    const to = withQuery(paths.signIn, { email: values.email, returnTo: query.get('returnTo') ?? undefined });
    await navigate(to, { state: { word: 'passwordSaved' } });
  }, failed);

  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
      <EmailField {...field('email')} />
      <CodeField {...field('code')} />
      <PasswordField label={t('session.newPassword')} autoComplete="new-password" {...field('password')} />
      <PasswordChecklist password={values.password} />
      <Button type="submit" look="solid" busy={busy} className="mt-1">
        {t('session.savePassword')}
      </Button>
    </form>
  );
}
