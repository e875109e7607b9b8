import { Link, useSearchParams } from 'react-router';
import { AuthCard } from '#app/layouts/auth-card.tsx';
import { SignUpForm } from '#features/session/components/sign-up-form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';

export function SignUpPage() {
  const t = useT();
  const [query] = useSearchParams();
  const signIn = withQuery(paths.signIn, { returnTo: query.get('returnTo') ?? undefined });
  return (
    <AuthCard
      title={t('session.signUpTitle')}
      text={t('session.signUpText')}
      foot={
        <>
          {t('session.haveAccount')}{' '}
          <Link to={signIn} className="link">
            {t('session.signIn')}
          </Link>
        </>
      }
    >
      <SignUpForm />
    </AuthCard>
  );
}
