import { useState } from 'react';
import { fetchRecords } from '#features/session/own-account.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { useFailure } from '../use-failure.ts';
import { EraseAccount } from './erase-account.tsx';
import { Section, SectionRow } from './section.tsx';

/** Hands a text to the browser as a file. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** What is kept of the reader: to take along, and to let go. */
export function DataSection({ email }: { email: string | null }) {
  const t = useT();
  const failed = useFailure('internal');
  const [busy, setBusy] = useState(false);
  const [isErasing, setErasing] = useState(false);

  const download = async () => {
    setBusy(true);
    try {
      const records = await fetchRecords();
      save(`escucho-${records.exportedAt.slice(0, 10)}.json`, JSON.stringify(records, null, 2));
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Section title={t('account.dataTitle')}>
        <SectionRow text={t('account.exportText')}>
          <Button busy={busy} onClick={() => void download()}>
            {t('account.export')}
          </Button>
        </SectionRow>
        <SectionRow text={t('account.eraseText')}>
          <Button className="text-danger" onClick={() => setErasing(true)}>
            {t('account.erase')}
          </Button>
        </SectionRow>
      </Section>
      {isErasing && <EraseAccount email={email} onClose={() => setErasing(false)} />}
    </>
  );
}
