import type { SecurityEvent } from '@escucho/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { AuthenticatorSection } from '#features/session/components/security/authenticator-section.tsx';
import { PasskeysSection } from '#features/session/components/security/passkeys-section.tsx';
import { securityEventsQuery } from '#features/session/security.ts';
import { useSession } from '#features/session/session.ts';
import { getSignInMethod } from '#features/session/tokens.ts';
import { useConfig } from '#shared/config.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { ShowMore } from '#shared/ui/load-more.tsx';
import { QueryState, Section, SectionRow } from '#shared/ui/section.tsx';
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

/** The recent events of the account, so that users notice what somebody else did. */
function EventsSection() {
  const t = useT();
  const query = useInfiniteQuery(securityEventsQuery);
  const events = query.data?.pages.flat() ?? [];
  return (
    <Section title={t('securityEvents.title')} text={t('securityEvents.text')}>
      <QueryState query={query} error={t('securityEvents.failed')} />
      {query.data && events.length === 0 && <SectionRow text={t('securityEvents.empty')} />}
      {events.length > 0 && (
        <ul className="divide-y divide-line">
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      <ShowMore query={query} className="py-4" />
    </Section>
  );
}

function EventRow({ event }: { event: SecurityEvent }) {
  const t = useT();
  const format = useFormat();
  const { type, device, network, isFailure, actor } = event;
  const deviceName = device ? t('account.deviceOn', device) : t('account.unknownDevice');
  const origin = network ? t('securityEvents.deviceFrom', { device: deviceName, network }) : deviceName;
  const details = [
    isFailure && t('securityEvents.refused'),
    actor === 'admin' && t('securityEvents.byAdmin'),
    (device || network) && origin,
  ].filter(Boolean);
  return (
    <li>
      <SectionRow title={t(`securityEvents.${type}`)} text={details.join(' · ')}>
        <time dateTime={event.occurredAt} className="text-sm text-muted">
          {format.dateTime(event.occurredAt)}
        </time>
      </SectionRow>
    </li>
  );
}
