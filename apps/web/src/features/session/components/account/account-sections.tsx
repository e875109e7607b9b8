import type { Session } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  deleteAccount,
  fetchDataExport,
  revokeOtherSessions,
  revokeSession,
  sessionsQuery,
} from '#features/session/account.ts';
import { signOut, useSession } from '#features/session/session.ts';
import { getSignInMethod, type SignInMethod } from '#features/session/tokens.ts';
import { useConfig } from '#shared/config.ts';
import { saveFile } from '#shared/document.ts';
import { Field } from '#shared/form.tsx';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmButton, ConfirmDialog, useIsMounted } from '#shared/ui/dialog.tsx';
import { QueryState, Section, SectionRow } from '#shared/ui/section.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { toastAccountError, useAction } from '../form-fields.tsx';
import { ChangeEmailDialog, ChangePasswordDialog } from './change-credentials.tsx';

/** The account settings: sign-in, devices, data export and account deletion (SHELL-03). */
export function AccountSections() {
  const { user } = useSession();
  const config = useConfig();
  if (!user) return null;
  const method = getSignInMethod(user);
  return (
    <>
      <SignInSection method={method} email={user.email} />
      {method !== 'operator' && config?.identity.isEmbedded && <DevicesSection />}
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
        <SectionRow title={t('session.email')} text={email ?? '–'}>
          <Button onClick={() => setDialog('email')}>{t('account.changeEmail')}</Button>
        </SectionRow>
        <SectionRow title={t('session.password')} text={t('account.passwordText')}>
          <Button onClick={() => setDialog('password')}>{t('account.changePassword')}</Button>
        </SectionRow>
      </Section>
      {dialog === 'email' && <ChangeEmailDialog currentEmail={email} onClose={close} />}
      {dialog === 'password' && <ChangePasswordDialog onClose={close} />}
    </>
  );
}

interface DeviceRowProps {
  session: Session;
  /** Fetches the list again. */
  refetch: () => Promise<void>;
}

function DeviceRow({ session, refetch }: DeviceRowProps) {
  const t = useT();
  const format = useFormat();
  const [revoke, busy] = useAction(async () => {
    await revokeSession(session.id);
    toast(t('account.deviceSignedOut'));
  }, refetch);
  const device = session.device ? t('account.deviceOn', session.device) : t('account.unknownDevice');
  const date = format.date(session.usedAt);
  return (
    <li>
      <SectionRow
        title={device}
        text={session.isCurrent ? t('account.thisDevice') : t('account.usedOn', { date })}
      >
        {!session.isCurrent && (
          <Button busy={busy} aria-label={t('account.signOutDeviceNamed', { device, date })} onClick={revoke}>
            {t('account.signOutDevice')}
          </Button>
        )}
      </SectionRow>
    </li>
  );
}

/** The devices on which the user is signed in, with a button to sign each out. */
function DevicesSection() {
  const t = useT();
  const client = useQueryClient();
  const query = useQuery(sessionsQuery);
  const sessions = query.data ?? [];
  const refetch = () => client.invalidateQueries(sessionsQuery);
  const [revokeOthers, busy] = useAction(async (close: () => void) => {
    await revokeOtherSessions().finally(close);
    toast(t('account.deviceSignedOut'));
  }, refetch);
  return (
    <Section title={t('account.devicesTitle')} text={t('account.devicesText')}>
      {sessions.length > 0 && (
        <ul className="divide-y divide-line">
          {sessions.map((session) => (
            <DeviceRow key={session.id} session={session} refetch={refetch} />
          ))}
        </ul>
      )}
      {sessions.length > 1 && (
        <div className="py-4">
          <ConfirmButton
            dialog={{
              title: 'account.signOutOthersTitle',
              subtitle: 'account.signOutOthersText',
              ok: 'account.signOutOthers',
            }}
            busy={busy}
            onConfirm={revokeOthers}
          >
            {t('account.signOutOthers')}
          </ConfirmButton>
        </div>
      )}
      <QueryState query={query} error={t('account.devicesFailed')} />
    </Section>
  );
}

function DataSection({ email }: { email: string | null }) {
  const t = useT();
  const [isDeleting, setDeleting] = useState(false);
  const [downloadExport, busy] = useAction(async () => {
    const data = await fetchDataExport();
    const name = `escucho-${data.exportedAt.slice(0, 10)}.json`;
    saveFile(name, JSON.stringify(data, null, 2), 'application/json');
  });

  return (
    <>
      <Section title={t('account.dataTitle')}>
        <SectionRow text={t('account.exportText')}>
          <Button busy={busy} onClick={downloadExport}>
            {t('account.export')}
          </Button>
        </SectionRow>
        <SectionRow text={t('account.deleteText')}>
          <Button variant="softDanger" onClick={() => setDeleting(true)}>
            {t('account.delete')}
          </Button>
        </SectionRow>
      </Section>
      {isDeleting && <DeleteAccountDialog email={email} onClose={() => setDeleting(false)} />}
    </>
  );
}

interface DeleteAccountProps {
  email: string | null;
  onClose: () => void;
}

/** Deletes the account after the e-mail address, or a word where there is none, was typed (SHELL-09). */
function DeleteAccountDialog({ email, onClose }: DeleteAccountProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const [hasSubmitted, setSubmitted] = useState(false);
  const [step, setStep] = useState<'confirm' | 'deleting' | 'deleted'>('confirm');
  const text = email ?? t('account.deleteWord');
  const isMatch = typed.trim().toLowerCase() === text.toLowerCase();
  const isOpen = useIsMounted();
  const field = useRef<HTMLInputElement>(null);

  const confirm = async () => {
    setSubmitted(!isMatch);
    if (!isMatch) {
      field.current?.focus();
      return;
    }
    setStep('deleting');
    try {
      await deleteAccount();
      // Closing the dialog does not stop the request.
      if (isOpen.current) setStep('deleted');
      else signOut();
    } catch (error) {
      setStep('confirm');
      toastAccountError(error);
    }
  };

  if (step === 'deleted')
    return (
      <ConfirmDialog
        title="account.deleted"
        subtitle="account.deletedText"
        ok="account.goodbye"
        cancel={null}
        onOk={signOut}
        onCancel={signOut}
      />
    );
  return (
    <ConfirmDialog
      title="account.deleteTitle"
      subtitle="account.deleteSubtitle"
      ok="account.delete"
      cancel={step === 'confirm' ? 'common.cancel' : null}
      isDanger
      busy={step === 'deleting'}
      onOk={() => void confirm()}
      onCancel={onClose}
    >
      <Field
        ref={field}
        className="mt-4"
        label={t('account.deleteType', { text })}
        error={hasSubmitted && !isMatch ? t('account.deleteType', { text }) : undefined}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
