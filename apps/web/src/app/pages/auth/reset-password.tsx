import { AuthCard } from '#app/layouts/auth-card.tsx';
import { ResetPasswordForm } from '#features/session/components/reset-password-form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { BackToSignIn } from './back-to-sign-in.tsx';
import { OutboxHint } from './outbox-hint.tsx';

export function ResetPasswordPage() {
  const t = useT();
  return (
    <AuthCard title={t('session.resetTitle')} text={t('session.resetText')} foot={<BackToSignIn />}>
      <ResetPasswordForm />
      <OutboxHint />
    </AuthCard>
  );
}
