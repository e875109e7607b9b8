import type { Session } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceName } from '#features/session/model/device-name.ts';
import { endOtherSessions, endSessionOf, sessionsQuery } from '#features/session/own-account.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Confirm } from '#shared/ui/confirm.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { toast } from '#shared/ui/toast.ts';
import { useFailure } from '../use-failure.ts';
import { Section, SectionRow } from './section.tsx';

/** One thing at a time that ends sessions, told when it is done; the list follows. */
function useEnding() {
  const t = useT();
  const client = useQueryClient();
  const failed = useFailure('internal');
  const [busy, setBusy] = useState(false);
  const end = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work().then(() => toast(t('account.ended')), failed);
    await client.invalidateQueries(sessionsQuery);
    setBusy(false);
  };
  return { busy, end };
}

function DeviceRow({ session }: { session: Session }) {
  const t = useT();
  const format = useFormat();
  const { busy, end } = useEnding();
  const name = deviceName(session.agent);
  const device = name ? t('account.deviceOn', name) : t('account.unknownDevice');
  const date = format.date(session.usedAt);
  return (
    <li>
      <SectionRow
        title={device}
        text={session.isCurrent ? t('account.thisDevice') : t('account.usedOn', { date })}
      >
        {!session.isCurrent && (
          <Button
            busy={busy}
            aria-label={t('account.endOneOf', { device, date })}
            onClick={() => void end(() => endSessionOf(session.id))}
          >
            {t('account.endOne')}
          </Button>
        )}
      </SectionRow>
    </li>
  );
}

function EndOthers() {
  const t = useT();
  const { busy, end } = useEnding();
  const [isAsked, setAsked] = useState(false);
  return (
    <div className="py-4">
      <Button onClick={() => setAsked(true)}>{t('account.endOthers')}</Button>
      {isAsked && (
        <Confirm
          title="account.endOthersTitle"
          subtitle="account.endOthersText"
          ok="account.endOthers"
          busy={busy}
          onOk={() => void end(endOtherSessions).then(() => setAsked(false))}
          onCancel={() => setAsked(false)}
        />
      )}
    </div>
  );
}

/** Where the reader is signed in, and signing out there. */
export function DevicesSection() {
  const t = useT();
  const query = useQuery(sessionsQuery);
  const sessions = query.data ?? [];
  const isFailed = !query.data && (query.isError || query.isPaused);
  return (
    <Section title={t('account.devicesTitle')} text={t('account.devicesText')}>
      {sessions.length > 0 && (
        <ul className="divide-y divide-line">
          {sessions.map((session) => (
            <DeviceRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {sessions.length > 1 && <EndOthers />}
      {!query.data && !isFailed && (
        <div role="status" className="grid gap-3 py-5">
          <span className="sr-only">{t('common.loading')}</span>
          <Skeleton className="h-5 w-48" />
          <Skeleton className="h-5 w-64" />
        </div>
      )}
      {isFailed && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-4 py-4 text-muted">
          {t('account.devicesFailed')}
          <Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>
        </div>
      )}
    </Section>
  );
}
