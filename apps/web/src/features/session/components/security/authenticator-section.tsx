import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.tsx';
import {
  authenticatorQuery,
  createAuthenticatorKey,
  recoveryCodesQuery,
  turnOffAuthenticator,
} from '../../security.ts';
import { QueryState, Section, SectionRow } from '../account/section.tsx';
import { useAction } from '../form-fields.tsx';
import { AuthenticatorSetupDialog } from './authenticator-setup.tsx';
import { RecoveryCodesRow } from './recovery-codes.tsx';

interface Props {
  email: string;
  /** Whether the identity provider offers recovery codes. */
  hasRecoveryCodes: boolean;
}

/** Two-step verification by an authenticator app, with its recovery codes. */
export function AuthenticatorSection({ email, hasRecoveryCodes }: Props) {
  const t = useT();
  const query = useQuery(authenticatorQuery);
  return (
    <Section title={t('security.appTitle')} text={t('security.appText')}>
      <QueryState query={query} skeleton="h-32 sm:h-12" />
      {query.data && (query.data.isOn ? <TurnOffRow /> : <SetUpRow email={email} />)}
      {query.data?.isOn && hasRecoveryCodes && <RecoveryCodesRow />}
    </Section>
  );
}

function SetUpRow({ email }: { email: string }) {
  const t = useT();
  const [secret, setSecret] = useState<string | null>(null);
  const [start, busy] = useAction(async () => setSecret(await createAuthenticatorKey()));
  return (
    <>
      <SectionRow title={t('security.appOff')} text={t('security.appOffText')}>
        <Button busy={busy} onClick={start}>
          {t('security.setUpApp')}
        </Button>
      </SectionRow>
      {secret !== null && (
        <AuthenticatorSetupDialog secret={secret} account={email} onClose={() => setSecret(null)} />
      )}
    </>
  );
}

function TurnOffRow() {
  const t = useT();
  const client = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const [turnOff, busy] = useAction(async () => {
    await turnOffAuthenticator();
    toast(t('security.appIsOff'));
    setConfirming(false);
    void client.invalidateQueries(recoveryCodesQuery);
    await client.invalidateQueries(authenticatorQuery);
  });
  return (
    <>
      <SectionRow title={t('security.appOn')} text={t('security.appOnText')}>
        <Button aria-label={t('security.removeAppNamed')} onClick={() => setConfirming(true)}>
          {t('security.removeApp')}
        </Button>
      </SectionRow>
      {isConfirming && (
        <ConfirmDialog
          title="security.removeAppTitle"
          subtitle="security.removeAppText"
          ok="security.removeAppOk"
          isDanger
          busy={busy}
          onOk={turnOff}
          onCancel={() => setConfirming(false)}
        />
      )}
    </>
  );
}
