import { signUpForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import {
  EmailField,
  NewPasswordField,
  toastAccountError,
} from '#features/session/components/form-fields.tsx';
import { preloadIdentityClient, signUp } from '#features/session/sign-in.ts';
import { Field, useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { navigate, useQueryParams } from '#shared/location.tsx';
import { addQuery, paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { LegalLinks } from '../../shell/notices.tsx';
import { AuthCard } from './auth-card.tsx';

/** Creates an account (AUTH-04). */
export function SignUpPage() {
  const t = useT();
  const [query] = useQueryParams();
  const returnTo = query.get('returnTo');
  const { field, submit, busy, values } = useForm(signUpForm, {
    firstName: '',
    lastName: '',
    email: query.get('email') ?? '',
    password: '',
  });
  useEffect(preloadIdentityClient, []);

  const form = submit(
    async (values) => {
      const next = await signUp(values);
      const to = next === 'confirm' ? paths.confirmAccount : paths.signIn;
      navigate(addQuery(to, { email: values.email, returnTo }));
    },
    (error, reject) => toastAccountError(error, reject, 'session.signUpFailed'),
  );

  return (
    <AuthCard
      title={t('session.signUpTitle')}
      text={t('session.signUpText')}
      foot={
        <>
          {t('session.haveAccount')}{' '}
          <Link to={addQuery(paths.signIn, { email: values.email, returnTo })} className="link">
            {t('session.signIn')}
          </Link>
        </>
      }
    >
      <form {...form} className="grid gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={t('session.firstName')} autoComplete="given-name" {...field('firstName')} />
          <Field label={t('session.lastName')} autoComplete="family-name" {...field('lastName')} />
        </div>
        <EmailField {...field('email')} />
        <NewPasswordField label={t('session.password')} {...field('password')} />
        <div className="text-sm text-muted">
          {t('session.acceptTerms')}
          <LegalLinks className="-mb-2" />
        </div>
        <Button type="submit" variant="solid" busy={busy} className="mt-1">
          {t('session.signUp')}
        </Button>
      </form>
    </AuthCard>
  );
}
