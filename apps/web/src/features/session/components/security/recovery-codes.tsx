import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { saveFile } from '#shared/save-file.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#shared/ui/dialog.tsx';
import { createRecoveryCodes, recoveryCodesQuery } from '../../security.ts';
import { QueryState, SectionRow } from '../account/section.tsx';
import { useAction } from '../form-fields.tsx';
import { copyText } from './copy-text.ts';

/** New recovery codes, which are shown only once, to be copied or downloaded. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useT();
  const text = codes.join('\n');
  return (
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
            saveFile('escucho-recovery-codes.txt', `${t('security.recoveryFile')}\n\n${text}\n`, 'text/plain')
          }
        >
          {t('security.downloadCodes')}
        </Button>
      </div>
      <Button variant="solid" onClick={onDone}>
        {t('security.codesSaved')}
      </Button>
    </div>
  );
}

/** How many recovery codes are left, with a button that creates a new set. */
export function RecoveryCodesRow() {
  const t = useT();
  const client = useQueryClient();
  const query = useQuery(recoveryCodesQuery);
  const [isConfirming, setConfirming] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const left = query.data;

  const [create, busy] = useAction(async () => {
    setCodes(await createRecoveryCodes());
    setConfirming(false);
  });
  const close = () => {
    setCodes(null);
    void client.invalidateQueries(recoveryCodesQuery);
  };

  if (left === undefined) return <QueryState query={query} />;
  return (
    <>
      <SectionRow
        title={t('security.recoveryTitle')}
        text={left > 0 ? t.count('security.recoveryLeft', left) : t('security.recoveryNone')}
      >
        <Button busy={busy && !isConfirming} onClick={() => (left > 0 ? setConfirming(true) : create())}>
          {t('security.createRecovery')}
        </Button>
      </SectionRow>
      {isConfirming && (
        <ConfirmDialog
          title="security.replaceRecoveryTitle"
          subtitle="security.replaceRecoveryText"
          ok="security.createRecovery"
          busy={busy}
          onOk={create}
          onCancel={() => setConfirming(false)}
        />
      )}
      {codes && (
        <Dialog title={t('security.saveRecoveryTitle')} onClose={close}>
          <RecoveryCodes codes={codes} onDone={close} />
        </Dialog>
      )}
    </>
  );
}
