import type { Session } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { revokeOtherSessions, revokeSession, sessionsQuery } from '#features/session/account.ts';
import { getSignInMethod, parseDeviceName, type SignInMethod } from '#features/session/model/account.ts';
import { useSession } from '#features/session/session.ts';
import { getIdToken } from '#features/session/tokens.ts';
import { useConfig } from '#shared/config.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { useErrorToast } from '../form-fields.tsx';
import { ChangeEmailDialog, ChangePasswordDialog } from './change-credentials.tsx';
import { DataSection } from './data-section.tsx';
import { QueryState, Section, SectionRow } from './section.tsx';

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

/** Returns a function that signs devices out and updates the list. */
function useSignOutDevices() {
  const t = useT();
  const client = useQueryClient();
  const showError = useErrorToast('internal');
  const [busy, setBusy] = useState(false);
  const signOutDevices = async (revoke: () => Promise<unknown>) => {
    setBusy(true);
    await revoke().then(() => toast(t('account.deviceSignedOut')), showError);
    await client.invalidateQueries(sessionsQuery);
    setBusy(false);
  };
  return { busy, signOutDevices };
}

function DeviceRow({ session }: { session: Session }) {
  const t = useT();
  const format = useFormat();
  const { busy, signOutDevices } = useSignOutDevices();
  const name = parseDeviceName(session.agent);
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
            aria-label={t('account.signOutDeviceNamed', { device, date })}
            onClick={() => void signOutDevices(() => revokeSession(session.id))}
          >
            {t('account.signOutDevice')}
          </Button>
        )}
      </SectionRow>
    </li>
  );
}

function SignOutOthers() {
  const t = useT();
  const { busy, signOutDevices } = useSignOutDevices();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <div className="py-4">
      <Button onClick={() => setConfirming(true)}>{t('account.signOutOthers')}</Button>
      {isConfirming && (
        <ConfirmDialog
          title="account.signOutOthersTitle"
          subtitle="account.signOutOthersText"
          ok="account.signOutOthers"
          busy={busy}
          onOk={() => void signOutDevices(revokeOtherSessions).then(() => setConfirming(false))}
          onCancel={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

/** The devices on which the user is signed in, with a button to sign each out. */
function DevicesSection() {
  const t = useT();
  const query = useQuery(sessionsQuery);
  const sessions = query.data ?? [];
  return (
    <Section title={t('account.devicesTitle')} text={t('account.devicesText')}>
      {sessions.length > 0 && (
        <ul className="divide-y divide-line">
          {sessions.map((session) => (
            <DeviceRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {sessions.length > 1 && <SignOutOthers />}
      <QueryState query={query} error={t('account.devicesFailed')} />
    </Section>
  );
}
