import { signInForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { useForm } from '#shared/use-form.ts';
import { askForReset, prepareIdentity, signIn } from '../identity.ts';
import { enter } from '../runner.ts';
import { EmailField } from './email-field.tsx';
import { PasswordField } from './password-field.tsx';
import { useFailure } from './use-failure.ts';

/** E-mail and password (AUTH-01). Once in, the auth layout leads on to where the reader wanted to go. */
export function SignInForm() {
  const t = useT();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const returnTo = query.get('returnTo') ?? undefined;
  const { form, field, submit, busy } = useForm(signInForm, {
    email: query.get('email') ?? '',
    password: '',
  });
  const failed = useFailure('session.signInFailed');
  useEffect(prepareIdentity, []);

  const send = submit(async (values) => {
    const { email } = values;
    const next = await signIn(values);
    if (next === 'done') return enter();
    if (next === 'reset') await askForReset(email);
    const to = next === 'reset' ? paths.resetPassword : paths.confirmAccount;
    await navigate(withQuery(to, { email, returnTo }), { state: { word: 'confirmFirst' } });
  }, failed);

  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
      <EmailField {...field('email')} />
      <PasswordField label={t('session.password')} autoComplete="current-password" {...field('password')} />
      <Link
        to={withQuery(paths.forgotPassword, { returnTo })}
        className="link -mt-1 justify-self-end text-sm"
      >
        {t('session.forgot')}
      </Link>
      <Button type="submit" look="solid" busy={busy}>
        {t('session.signIn')}
      </Button>
    </form>
  );
}
