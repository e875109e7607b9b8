import { AuthCard } from '#app/layouts/auth-card.tsx';
import { ForgotPasswordForm } from '#features/session/components/forgot-password-form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { BackToSignIn } from './back-to-sign-in.tsx';

export function ForgotPasswordPage() {
  const t = useT();
  return (
    <AuthCard title={t('session.forgotTitle')} text={t('session.forgotText')} foot={<BackToSignIn />}>
      <ForgotPasswordForm />
    </AuthCard>
  );
}
