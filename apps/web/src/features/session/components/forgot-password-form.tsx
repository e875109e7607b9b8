import { forgotPasswordForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { useForm } from '#shared/use-form.ts';
import { askForReset, prepareIdentity } from '../identity.ts';
import { EmailField } from './email-field.tsx';
import { useFailure } from './use-failure.ts';

/** Asks for a code to set a new password with (AUTH-07). */
export function ForgotPasswordForm() {
  const t = useT();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { form, field, submit, busy } = useForm(forgotPasswordForm, {
    email: query.get('email') ?? '',
  });
  const failed = useFailure('internal');
  useEffect(prepareIdentity, []);

  const send = submit(async ({ email }) => {
    await askForReset(email);
    await navigate(withQuery(paths.resetPassword, { email, returnTo: query.get('returnTo') ?? undefined }));
  }, failed);

  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
      <EmailField {...field('email')} />
      <Button type="submit" look="solid" busy={busy} className="mt-1">
        {t('session.sendCode')}
      </Button>
    </form>
  );
}
