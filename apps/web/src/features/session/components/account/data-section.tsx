import { useEffect, useRef, useState } from 'react';
import { deleteAccount, fetchDataExport } from '#features/session/account.ts';
import { signOut } from '#features/session/session.ts';
import { saveFile } from '#shared/document.ts';
import { Field } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/dialog.tsx';
import { useAction, useErrorToast } from '../form-fields.tsx';
import { Section, SectionRow } from './section.tsx';

/** Data export and account deletion. */
export function DataSection({ email }: { email: string | null }) {
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
  const showError = useErrorToast('internal');
  const [typed, setTyped] = useState('');
  const [hasSubmitted, setSubmitted] = useState(false);
  const [step, setStep] = useState<'confirm' | 'deleting' | 'deleted'>('confirm');
  const text = email ?? t('account.deleteWord');
  const isMatch = typed.trim().toLowerCase() === text.toLowerCase();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const confirm = async () => {
    setSubmitted(!isMatch);
    if (!isMatch) return;
    setStep('deleting');
    try {
      await deleteAccount();
      // Closing the dialog does not stop the request.
      if (isOpen.current) setStep('deleted');
      else signOut();
    } catch (error) {
      setStep('confirm');
      showError(error);
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
