import { codeForm } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfig } from '#shared/config.ts';
import { saveFile } from '#shared/document.ts';
import { useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmButton, ConfirmDialog, Dialog, DialogActions } from '#shared/ui/dialog.tsx';
import { QueryState, Section, SectionRow } from '#shared/ui/section.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { normalizeAppCode } from '../../model/challenge.ts';
import { findIdentityErrorKey } from '../../model/error-text.ts';
import {
  authenticatorQuery,
  createAuthenticatorKey,
  createRecoveryCodes,
  recoveryCodesQuery,
  securityQueries,
  turnOffAuthenticator,
  turnOnAuthenticator,
} from '../../security.ts';
import { CodeField, toastAccountError, useAction } from '../form-fields.tsx';
import { AuthenticatorKey, copyText } from './authenticator-key.tsx';

/** New recovery codes, which are shown only once, to be copied or downloaded. Closes once the user has saved them. */
function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useT();
  const [isClosing, setClosing] = useState(false);
  const text = codes.join('\n');
  if (isClosing)
    return (
      <ConfirmDialog
        title="security.codesUnsavedTitle"
        subtitle="security.codesUnsavedText"
        ok="security.codesSaved"
        cancel="security.showCodes"
        onOk={onClose}
        onCancel={() => setClosing(false)}
      />
    );
  return (
    <Dialog title={t('security.saveRecoveryTitle')} onClose={() => setClosing(true)}>
      <div className="grid gap-4">
        <p className="text-muted text-pretty">{t('security.saveRecoveryText')}</p>
        <ul
          aria-label={t('security.recoveryTitle')}
          className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md border border-line bg-ground p-4 text-center font-mono text-sm"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3 *:grow">
          <Button onClick={() => void copyText(text)}>{t('security.copyCodes')}</Button>
          <Button
            onClick={() =>
              saveFile(
                'escucho-recovery-codes.txt',
                `${t('security.recoveryFile')}\n\n${text}\n`,
                'text/plain',
              )
            }
          >
            {t('security.downloadCodes')}
          </Button>
        </div>
        <Button variant="solid" onClick={onClose}>
          {t('security.codesSaved')}
        </Button>
      </div>
    </Dialog>
  );
}

/** How many recovery codes are left, with a button that creates a new set. */
function RecoveryCodesRow({ onCreated }: { onCreated: (codes: readonly string[]) => void }) {
  const t = useT();
  const client = useQueryClient();
  const query = useQuery(recoveryCodesQuery);
  const left = query.data;
  const [create, busy] = useAction(
    async (close: () => void) => {
      onCreated(await createRecoveryCodes());
      close();
    },
    () => client.invalidateQueries(securityQueries),
  );
  if (left === undefined) return <QueryState query={query} />;
  return (
    <SectionRow
      title={t('security.recoveryTitle')}
      text={left > 0 ? t.count('security.recoveryLeft', left) : t('security.recoveryNone')}
    >
      <ConfirmButton
        dialog={
          left > 0
            ? {
                title: 'security.replaceRecoveryTitle',
                subtitle: 'security.replaceRecoveryText',
                ok: 'security.createRecovery',
              }
            : null
        }
        busy={busy}
        onConfirm={create}
      >
        {t('security.createRecovery')}
      </ConfirmButton>
    </SectionRow>
  );
}

interface SetupProps {
  secret: string;
  account: string;
  /** Called with the recovery codes once the app is on, also where the dialog was closed; null where there are none. */
  onTurnedOn: (codes: readonly string[] | null) => void;
  onClose: () => void;
}

/** Sets up an authenticator app: the key, a code of the app, then the recovery codes where the provider has them. */
function AuthenticatorSetupDialog({ secret, account, onTurnedOn, onClose }: SetupProps) {
  const t = useT();
  const hasRecoveryCodes = useConfig()?.identity.isEmbedded === true;
  const client = useQueryClient();
  const { field, submit, busy } = useForm(codeForm, { code: '' });

  const form = submit(
    async ({ code }) => {
      try {
        await turnOnAuthenticator(normalizeAppCode(code));
        toast(t('security.appIsOn'));
        // Without codes the section still offers them.
        onTurnedOn(hasRecoveryCodes ? await createRecoveryCodes().catch(() => null) : null);
        onClose();
      } finally {
        // Also after a failure: only the response may have been lost.
        void client.invalidateQueries(securityQueries);
      }
    },
    (error, reject) =>
      findIdentityErrorKey(error) === 'session.codeWrong'
        ? reject('code', t('challenge.checkAppCode'))
        : toastAccountError(error, reject),
  );

  return (
    <Dialog title={t('security.setUpAppTitle')} onClose={onClose}>
      <form {...form} className="grid gap-4">
        <AuthenticatorKey secret={secret} account={account} />
        <CodeField {...field('code')} label={t('challenge.appCode')} hint={t('security.enterCodeText')} />
        <DialogActions submitLabel={t('security.turnOn')} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** Two-step verification by an authenticator app, with its recovery codes. */
export function AuthenticatorSection({ email }: { email: string }) {
  const t = useT();
  const hasRecoveryCodes = useConfig()?.identity.isEmbedded === true;
  const query = useQuery(authenticatorQuery);
  // Of the section: the row that sets the app up is gone once the state is loaded again.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Section title={t('security.appTitle')} text={t('security.appText')}>
      <QueryState query={query} skeleton="h-32 sm:h-12" />
      {query.data && (query.data.isOn ? <TurnOffRow /> : <SetUpRow email={email} onTurnedOn={setCodes} />)}
      {query.data?.isOn && hasRecoveryCodes && <RecoveryCodesRow onCreated={setCodes} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  );
}

function SetUpRow({ email, onTurnedOn }: { email: string } & Pick<SetupProps, 'onTurnedOn'>) {
  const t = useT();
  const [secret, setSecret] = useState<string | null>(null);
  const [start, busy] = useAction(async () => setSecret(await createAuthenticatorKey()));
  return (
    <>
      <SectionRow title={t('challenge.select_totp')} text={t('security.appOffText')}>
        <Button busy={busy} onClick={start}>
          {t('security.setUpApp')}
        </Button>
      </SectionRow>
      {secret !== null && (
        <AuthenticatorSetupDialog
          secret={secret}
          account={email}
          onTurnedOn={onTurnedOn}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

function TurnOffRow() {
  const t = useT();
  const client = useQueryClient();
  const [turnOff, busy] = useAction(
    async (close: () => void) => {
      await turnOffAuthenticator();
      toast(t('security.appIsOff'));
      close();
    },
    () => client.invalidateQueries(securityQueries),
  );
  return (
    <SectionRow title={t('security.appOn')} text={t('security.appOnText')}>
      <ConfirmButton
        dialog={{
          title: 'security.removeAppTitle',
          subtitle: 'security.removeAppText',
          ok: 'security.removeAppOk',
          isDanger: true,
        }}
        aria-label={t('security.removeAppNamed')}
        busy={busy}
        onConfirm={turnOff}
      >
        {t('security.remove')}
      </ConfirmButton>
    </SectionRow>
  );
}
