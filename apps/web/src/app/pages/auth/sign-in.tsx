import { signInForm } from '@escucho/contracts';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { EmailField, PasswordField } from '#features/session/components/form-fields.tsx';
import {
  OAuthCallback,
  OtherSignInMethods,
  PasskeySignIn,
} from '#features/session/components/sign-in-methods.tsx';
import type { Challenge } from '#features/session/model/challenge.ts';
import { parseCallback } from '#features/session/model/oauth.ts';
import { completeSignIn, consumeSignOutNotice } from '#features/session/session.ts';
import { requestPasswordReset, signIn, supportsPasskeys } from '#features/session/sign-in.ts';
import { useConfig } from '#shared/config.ts';
import { getT, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { navigate, useLocation } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/states.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { AuthCard, AuthNotice, useAuthForm, usePassedError } from './auth-card.tsx';

const ChallengePage = lazyComponent(async () => (await import('./codes.tsx')).SignInChallenge, 'security');

/** `/auth/sign-in`: sign-in by any method, and the way back from a provider. */
export function SignInPage() {
  const t = useT();
  const { search } = useLocation();
  // Read once: the callback's parameters leave the address while it is handled.
  const [callback, setCallback] = useState(() => parseCallback(search));
  const [pending, setPending] = useState<PendingSignIn | null>(null);
  const [hasEnded, setEnded] = useState(false);
  const config = useConfig();
  const hasPasskeys = config?.identity.passkeys === true && supportsPasskeys();
  usePassedError();
  useEffect(() => {
    const notice = consumeSignOutNotice();
    if (notice === 'signOutFailed') toast(getT()('session.signOutFailed'), 'error', 'bottom-center');
    setEnded(notice === 'sessionEnded');
  }, []);
  if (callback)
    return (
      <AuthCard title={t('session.signInTitle')}>
        <OAuthCallback params={callback} onFailed={() => setCallback(null)} />
      </AuthCard>
    );
  if (pending?.challenge)
    return (
      <Suspense fallback={<Skeleton className="h-80 w-full max-w-md" />}>
        <ChallengePage
          email={pending.email}
          challenge={pending.challenge}
          onChallenge={(challenge) => setPending({ ...pending, challenge })}
          onRestart={() => setPending({ ...pending, challenge: null })}
        />
      </Suspense>
    );
  return (
    <SignInCard
      email={pending?.email ?? ''}
      hasEnded={hasEnded}
      hasPasskeys={hasPasskeys}
      onChallenge={setPending}
    >
      {/* Also before it is known, so that nothing moves. */}
      {(hasPasskeys || !config) && <PasskeySignIn isAvailable={hasPasskeys} />}
      <OtherSignInMethods />
    </SignInCard>
  );
}

/** A sign-in whose password was correct, and what the provider asks for after it; null once the user starts again. */
interface PendingSignIn {
  email: string;
  challenge: Challenge | null;
}

interface SignInCardProps {
  /** The address that is filled in, where it is known. */
  email: string;
  /** Whether the session before ended without a request of the user. */
  hasEnded: boolean;
  hasPasskeys: boolean;
  onChallenge: (pending: PendingSignIn) => void;
  /** The other ways to sign in. */
  children: ReactNode;
}

/** E-mail and password (AUTH-01), and what else signs in. The auth layout redirects once the user is signed in. */
function SignInCard({ email: initialEmail, hasEnded, hasPasskeys, onChallenge, children }: SignInCardProps) {
  const t = useT();
  const { field, submit, busy, getUrl } = useAuthForm(
    signInForm,
    { email: initialEmail, password: '' },
    'session.signInFailed',
  );

  const form = submit(async (values) => {
    const { email } = values;
    const next = await signIn(values);
    if (next === 'done') return completeSignIn();
    if (typeof next === 'object') return onChallenge({ email, challenge: next });
    if (next === 'reset') await requestPasswordReset(email);
    const to = next === 'reset' ? paths.resetPassword : paths.confirmAccount;
    navigate(getUrl(to, email), { state: { notice: 'confirmFirst' } });
  });

  return (
    <AuthCard
      title={t('session.signInTitle')}
      text={t('session.signInText')}
      foot={
        <>
          {t('session.newHere')}{' '}
          <Link to={getUrl(paths.signUp)} className="link">
            {t('session.createAccount')}
          </Link>
        </>
      }
    >
      <AuthNotice notice={hasEnded ? 'sessionEnded' : undefined} />
      <form {...form} className="grid gap-4">
        {/* `webauthn` lets browsers offer passkeys in the field's autofill. */}
        <EmailField {...field('email')} autoComplete={hasPasskeys ? 'username webauthn' : 'username'} />
        <PasswordField label={t('session.password')} autoComplete="current-password" {...field('password')} />
        <Link
          to={getUrl(paths.forgotPassword)}
          className="link -mt-4 -mb-3 inline-flex min-h-11 items-center justify-self-end text-sm"
        >
          {t('session.forgot')}
        </Link>
        <Button type="submit" variant="solid" busy={busy}>
          {t('session.signIn')}
        </Button>
      </form>
      {children}
    </AuthCard>
  );
}
