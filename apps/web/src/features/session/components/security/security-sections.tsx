import { useConfig } from '#shared/config.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { getSignInMethod } from '../../model/account.ts';
import { useSession } from '../../session.ts';
import { getIdToken } from '../../tokens.ts';
import { Section, SectionRow } from '../account/section.tsx';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { EventsSection } from './events-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';

/** The security settings; users of other providers and of operators see why there is nothing to set up. */
export function SecuritySections() {
  const t = useT();
  const { user } = useSession();
  const identity = useConfig()?.identity;
  if (!user) return null;
  const method = getSignInMethod(user.isExternal, getIdToken());
  if (method !== 'password')
    return (
      <>
        <Section title={t('security.title')}>
          <SectionRow
            text={method === 'operator' ? t('security.operatorText') : t('security.providerText', method)}
          />
        </Section>
        <EventsSection />
      </>
    );
  return (
    <>
      <AuthenticatorSection email={user.email ?? ''} hasRecoveryCodes={identity?.recoveryCodes === true} />
      {identity?.passkeys && <PasskeysSection />}
      <EventsSection />
    </>
  );
}
