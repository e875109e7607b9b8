import { confirmAccountForm, forgotPasswordForm, resetPasswordForm } from '@escucho/contracts';
import { Link } from 'wouter';
import { ChallengeForm } from '#features/session/components/challenge-form.tsx';
import {
  CodeField,
  EmailField,
  NewPasswordField,
  ResendCode,
} from '#features/session/components/form-fields.tsx';
import type { Challenge } from '#features/session/model/challenge.ts';
import { toErrorText } from '#features/session/model/error-text.ts';
import { completeSignIn } from '#features/session/session.ts';
import {
  confirmAccount,
  requestPasswordReset,
  resendCode,
  resetPassword,
  respondToChallenge,
} from '#features/session/sign-in.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { navigate } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { AuthCard, AuthNotice, OutboxHint, useAuthForm } from './auth-card.tsx';

function BackToSignIn({ to }: { to: string }) {
  const t = useT();
  return (
    <Link to={to} className="link -my-2.5 inline-flex min-h-11 items-center">
      {t('session.backToSignIn')}
    </Link>
  );
}

/**
 * Confirms an account by the code that was sent (AUTH-05). A user who signed up on this page less than 3 minutes ago is
 * signed in at once (AUTH-04).
 */
export function ConfirmAccountPage() {
  const t = useT();
  const { field, submit, busy, check, values, getUrl } = useAuthForm(
    confirmAccountForm,
    { email: '', code: '' },
    'session.confirmFailed',
  );

  const form = submit(async (values) => {
    const { signedIn } = await confirmAccount(values);
    let error: string | undefined;
    try {
      if (signedIn) return await completeSignIn();
    } catch (reason) {
      // The code cannot be used again: another attempt needs the password.
      error = toErrorText(t, reason, 'session.signInFailed');
    }
    navigate(getUrl(paths.signIn, values.email), { state: { notice: 'confirmed', error } });
  });

  return (
    <AuthCard
      title={t('session.confirmTitle')}
      text={t('session.confirmText')}
      foot={<BackToSignIn to={getUrl(paths.signIn)} />}
    >
      <AuthNotice />
      <form {...form} className="grid gap-4">
        <EmailField {...field('email')} />
        <CodeField {...field('code')} />
        <Button type="submit" variant="solid" busy={busy} className="mt-1">
          {t('session.confirm')}
        </Button>
        <ResendCode getEmail={() => (check('email') ? values.email : null)} onResend={resendCode} />
      </form>
      <OutboxHint />
    </AuthCard>
  );
}

/** Sends a code for setting a new password (AUTH-07). */
export function ForgotPasswordPage() {
  const t = useT();
  const { field, submit, busy, getUrl } = useAuthForm(forgotPasswordForm, { email: '' }, 'internal');

  const form = submit(async ({ email }) => {
    await requestPasswordReset(email);
    navigate(getUrl(paths.resetPassword, email));
  });

  return (
    <AuthCard
      title={t('session.forgotTitle')}
      text={t('session.forgotText')}
      foot={<BackToSignIn to={getUrl(paths.signIn)} />}
    >
      <form {...form} className="grid gap-4">
        <EmailField {...field('email')} />
        <Button type="submit" variant="solid" busy={busy} className="mt-1">
          {t('session.sendCode')}
        </Button>
      </form>
    </AuthCard>
  );
}

/** Sets a new password by the code that was sent; the user then signs in with it (AUTH-07). */
export function ResetPasswordPage() {
  const t = useT();
  const { field, submit, busy, check, values, getUrl } = useAuthForm(
    resetPasswordForm,
    { email: '', code: '', password: '' },
    'internal',
  );

  const form = submit(async (values) => {
    await resetPassword(values);
    navigate(getUrl(paths.signIn, values.email), { state: { notice: 'passwordSaved' } });
  });

  return (
    <AuthCard
      title={t('session.resetTitle')}
      text={t('session.resetText')}
      foot={<BackToSignIn to={getUrl(paths.signIn)} />}
    >
      <form {...form} className="grid gap-4">
        <EmailField {...field('email')} />
        <CodeField {...field('code')} />
        <NewPasswordField label={t('session.newPassword')} {...field('password')} />
        <Button type="submit" variant="solid" busy={busy} className="mt-1">
          {t('session.savePassword')}
        </Button>
        <ResendCode getEmail={() => (check('email') ? values.email : null)} onResend={requestPasswordReset} />
      </form>
      <OutboxHint />
    </AuthCard>
  );
}

interface ChallengeProps {
  email: string;
  challenge: Challenge;
  /** Called with the challenge that follows an answer. */
  onChallenge: (challenge: Challenge) => void;
  onRestart: () => void;
}

/** The step of a sign-in after the password. The auth layout redirects once the user is signed in. */
export function SignInChallenge({ email, challenge, onChallenge, onRestart }: ChallengeProps) {
  const t = useT();
  const answer = async (text: string) => {
    const next = await respondToChallenge(text);
    if (next === 'done')
      return completeSignIn().catch((error: unknown) => {
        // The identity client has no challenge any more that another code could answer.
        onRestart();
        throw error;
      });
    if (typeof next === 'string') throw new Error(next);
    onChallenge(next);
  };
  return (
    <AuthCard title={t('challenge.title')}>
      <ChallengeForm
        key={challenge.type}
        challenge={challenge}
        email={email}
        onAnswer={answer}
        onRestart={onRestart}
      />
    </AuthCard>
  );
}
