import { signUpForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { Field } from '#shared/ui/field.tsx';
import { useForm } from '#shared/use-form.ts';
import { prepareIdentity, signUp } from '../identity.ts';
import { EmailField } from './email-field.tsx';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { useFailure } from './use-failure.ts';

/** A new account; a code by e-mail comes next (AUTH-04). */
export function SignUpForm() {
  const t = useT();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { form, field, submit, busy, values } = useForm(signUpForm, {
    firstName: '',
    lastName: '',
    email: query.get('email') ?? '',
    password: '',
  });
  const failed = useFailure('session.signUpFailed');
  useEffect(prepareIdentity, []);

  const send = submit(async (values) => {
    const next = await signUp(values);
    const to = next === 'confirm' ? paths.confirmAccount : paths.signIn;
    await navigate(withQuery(to, { email: values.email, returnTo: query.get('returnTo') ?? undefined }));
  }, failed);

  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t('session.firstName')} autoComplete="given-name" {...field('firstName')} />
        <Field label={t('session.lastName')} autoComplete="family-name" {...field('lastName')} />
      </div>
      <EmailField {...field('email')} />
      <PasswordField label={t('session.password')} autoComplete="new-password" {...field('password')} />
      <PasswordChecklist password={values.password} />
      <Button type="submit" look="solid" busy={busy} className="mt-1">
        {t('session.signUp')}
      </Button>
    </form>
  );
}
