import { AuthCard } from '#app/layouts/auth-card.tsx';
import { ConfirmAccountForm } from '#features/session/components/confirm-account-form.tsx';
import { DoorWord } from '#features/session/components/door-word.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { BackToSignIn } from './back-to-sign-in.tsx';
import { OutboxHint } from './outbox-hint.tsx';

export function ConfirmAccountPage() {
  const t = useT();
  return (
    <AuthCard title={t('session.confirmTitle')} text={t('session.confirmText')} foot={<BackToSignIn />}>
      <DoorWord />
      <ConfirmAccountForm />
      <OutboxHint />
    </AuthCard>
  );
}
