import { useState } from 'react';
import { getSignInMethod, type SignInMethod } from '#features/session/model/account.ts';
import { useSession } from '#features/session/session.ts';
import { getIdToken } from '#features/session/tokens.ts';
import { useConfig } from '#shared/config.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ChangeEmailDialog, ChangePasswordDialog } from './change-credentials.tsx';
import { DataSection } from './data-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { Section, SectionRow } from './section.tsx';

/** The account settings: sign-in, devices, data export and account deletion (SHELL-03). */
export function AccountSections() {
  const { user } = useSession();
  const config = useConfig();
  if (!user) return null;
  const method = getSignInMethod(user.isExternal, getIdToken());
  return (
    <>
      <SignInSection method={method} email={user.email} />
      {method !== 'operator' && config?.identity.listsSessions && <DevicesSection />}
      <DataSection email={user.email} />
    </>
  );
}

function SignInSection({ method, email }: { method: SignInMethod; email: string | null }) {
  const t = useT();
  const [dialog, setDialog] = useState<'password' | 'email' | null>(null);
  const close = () => setDialog(null);
  if (method !== 'password')
    return (
      <Section title={t('account.signInTitle')}>
        <SectionRow
          text={method === 'operator' ? t('account.operatorText') : t('account.providerText', method)}
        />
      </Section>
    );
  return (
    <>
      <Section title={t('account.signInTitle')}>
        <SectionRow title={t('account.email')} text={email ?? '–'}>
          <Button onClick={() => setDialog('email')}>{t('account.changeEmail')}</Button>
        </SectionRow>
        <SectionRow title={t('account.password')} text={t('account.passwordText')}>
          <Button onClick={() => setDialog('password')}>{t('account.changePassword')}</Button>
        </SectionRow>
      </Section>
      {dialog === 'email' && <ChangeEmailDialog currentEmail={email} onClose={close} />}
      {dialog === 'password' && <ChangePasswordDialog onClose={close} />}
    </>
  );
}
