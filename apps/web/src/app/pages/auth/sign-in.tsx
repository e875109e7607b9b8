import { signInForm } from '@escucho/contracts';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { EmailField, PasswordField, useErrorToast } from '#features/session/components/form-fields.tsx';
import { OAuthCallback } from '#features/session/components/oauth-callback.tsx';
import { OtherSignInMethods } from '#features/session/components/sign-in-methods.tsx';
import { parseCallback } from '#features/session/model/oauth.ts';
import { completeSignIn, consumeSignOutFailure } from '#features/session/session.ts';
import { preloadIdentityClient, requestPasswordReset, signIn } from '#features/session/sign-in.ts';
import { getT, useT } from '#shared/i18n/i18n.ts';
import { addQuery, paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { toast } from '#shared/ui/toast.ts';
import { useForm } from '#shared/use-form.ts';
import { AuthCard, AuthNotice } from './auth-card.tsx';

export function SignInPage() {
  const t = useT();
  const [query] = useSearchParams();
  // Read once: the callback's parameters leave the address while it is handled.
  const [callback, setCallback] = useState(() => parseCallback(location.search));
  useEffect(() => {
    if (consumeSignOutFailure()) toast(getT()('session.signOutFailed'), 'error', 'bottom-center');
  }, []);
  if (callback)
    return (
      <AuthCard title={t('session.signInTitle')}>
        <OAuthCallback params={callback} onFailed={() => setCallback(null)} />
      </AuthCard>
    );
  const signUp = addQuery(paths.signUp, { returnTo: query.get('returnTo') ?? undefined });
  return (
    <AuthCard
      title={t('session.signInTitle')}
      text={t('session.signInText')}
      foot={
        <>
          {t('session.newHere')}{' '}
          <Link to={signUp} className="link">
            {t('session.createAccount')}
          </Link>
        </>
      }
    >
      <AuthNotice />
      <SignInForm />
      <OtherSignInMethods />
    </AuthCard>
  );
}

/** E-mail and password (AUTH-01). The auth layout redirects once the user is signed in. */
function SignInForm() {
  const t = useT();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const returnTo = query.get('returnTo') ?? undefined;
  const { form, field, submit, busy, reject } = useForm(signInForm, {
    email: query.get('email') ?? '',
    password: '',
  });
  const showError = useErrorToast('session.signInFailed', reject);
  useEffect(preloadIdentityClient, []);

  const onSubmit = submit(async (values) => {
    const { email } = values;
    const next = await signIn(values);
    if (next === 'done') return completeSignIn();
    if (next === 'reset') await requestPasswordReset(email);
    const to = next === 'reset' ? paths.resetPassword : paths.confirmAccount;
    await navigate(addQuery(to, { email, returnTo }), { state: { notice: 'confirmFirst' } });
  }, showError);

  return (
    <form ref={form} noValidate method="post" onSubmit={onSubmit} className="grid gap-4">
      <EmailField {...field('email')} />
      <PasswordField label={t('session.password')} autoComplete="current-password" {...field('password')} />
      <Link to={addQuery(paths.forgotPassword, { returnTo })} className="link -mt-1 justify-self-end text-sm">
        {t('session.forgot')}
      </Link>
      <Button type="submit" variant="solid" busy={busy}>
        {t('session.signIn')}
      </Button>
    </form>
  );
}
