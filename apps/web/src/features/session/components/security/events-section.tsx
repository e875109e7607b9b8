import type { SecurityEvent } from '@escucho/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { ShowMore } from '#shared/ui/load-more.tsx';
import { securityEventsQuery } from '../../security.ts';
import { QueryState, Section, SectionRow } from '../account/section.tsx';

/** The recent events of the account, so that users notice what somebody else did. */
export function EventsSection() {
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
      <ShowMore query={query} label={t('securityEvents.more')} className="py-4" />
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
