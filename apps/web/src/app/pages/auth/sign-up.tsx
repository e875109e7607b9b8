import { signUpForm } from '@escucho/contracts';
import { Link } from 'wouter';
import { EmailField, NewPasswordField } from '#features/session/components/form-fields.tsx';
import { signUp } from '#features/session/sign-in.ts';
import { Field } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { navigate } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { LegalLinks } from '../../shell/notices.tsx';
import { AuthCard, useAuthForm } from './auth-card.tsx';

/** Creates an account (AUTH-04). */
export function SignUpPage() {
  const t = useT();
  const { field, submit, busy, getUrl } = useAuthForm(
    signUpForm,
    { firstName: '', lastName: '', email: '', password: '' },
    'session.signUpFailed',
  );

  const form = submit(async (values) => {
    const next = await signUp(values);
    navigate(getUrl(next === 'confirm' ? paths.confirmAccount : paths.signIn, values.email));
  });

  return (
    <AuthCard
      title={t('session.signUpTitle')}
      text={t('session.signUpText')}
      foot={
        <>
          {t('session.haveAccount')}{' '}
          <Link to={getUrl(paths.signIn)} className="link">
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
