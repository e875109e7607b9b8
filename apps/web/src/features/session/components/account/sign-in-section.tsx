import { useState } from 'react';
import type { AccountDoor } from '#features/session/model/account-door.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangePassword } from './change-password.tsx';
import { Section, SectionRow } from './section.tsx';

/** How the reader signs in, and what of it can be changed here. */
export function SignInSection({ door, email }: { door: AccountDoor; email: string | null }) {
  const t = useT();
  const [open, setOpen] = useState<'password' | 'email' | null>(null);
  const close = () => setOpen(null);
  if (door !== 'password')
    return (
      <Section title={t('account.signInTitle')}>
        <SectionRow
          text={door === 'operator' ? t('account.operatorText') : t('account.providerText', door)}
        />
      </Section>
    );
  return (
    <>
      <Section title={t('account.signInTitle')}>
        <SectionRow title={t('account.email')} text={email ?? '–'}>
          <Button onClick={() => setOpen('email')}>{t('account.changeEmail')}</Button>
        </SectionRow>
        <SectionRow title={t('account.password')} text={t('account.passwordText')}>
          <Button onClick={() => setOpen('password')}>{t('account.changePassword')}</Button>
        </SectionRow>
      </Section>
      {open === 'email' && <ChangeEmail present={email} onClose={close} />}
      {open === 'password' && <ChangePassword onClose={close} />}
    </>
  );
}
