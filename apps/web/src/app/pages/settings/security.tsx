import { Section, SectionRow } from '#features/session/components/account/section.tsx';
import { AuthenticatorSection } from '#features/session/components/security/authenticator-section.tsx';
import { EventsSection } from '#features/session/components/security/events-section.tsx';
import { PasskeysSection } from '#features/session/components/security/passkeys-section.tsx';
import { useSession } from '#features/session/session.ts';
import { getSignInMethod } from '#features/session/tokens.ts';
import { useConfig } from '#shared/config.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Skeleton } from '#shared/ui/states.tsx';

/** The security settings; users of other providers and of operators see why there is nothing to set up. */
export function SecurityPage() {
  const t = useT();
  const { user } = useSession();
  const identity = useConfig()?.identity;
  if (!user)
    return (
      <>
        <Skeleton className="mt-6 h-68 sm:h-43" />
        <Skeleton className="mt-6 h-56 sm:h-42" />
      </>
    );
  const method = getSignInMethod(user);
  if (method !== 'password')
    return (
      <>
        <Section title={t('pages.security')}>
          <SectionRow
            text={method === 'operator' ? t('security.operatorText') : t('security.providerText', method)}
          />
        </Section>
        <EventsSection />
      </>
    );
  return (
    <>
      <AuthenticatorSection email={user.email ?? ''} />
      {identity ? (
        <>
          {identity.passkeys && <PasskeysSection />}
          <EventsSection />
        </>
      ) : (
        <Skeleton className="mt-6 h-56 sm:h-42" />
      )}
    </>
  );
}
