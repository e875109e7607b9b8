import { useState } from 'react';
import { eraseAccount } from '#features/session/own-account.ts';
import { signOut } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Confirm } from '#shared/ui/confirm.tsx';
import { Field } from '#shared/ui/field.tsx';
import { useFailure } from '../use-failure.ts';

/** Asks before an account goes: the address, or a word, is typed (SHELL-09). */
export function EraseAccount({ email, onClose }: { email: string | null; onClose: () => void }) {
  const t = useT();
  const failed = useFailure('internal');
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState(false);
  const [step, setStep] = useState<'asking' | 'busy' | 'erased'>('asking');
  const text = email ?? t('account.eraseWord');
  const isRight = typed.trim().toLowerCase() === text.toLowerCase();

  const erase = async () => {
    setFault(!isRight);
    if (!isRight) return;
    setStep('busy');
    try {
      await eraseAccount();
      setStep('erased');
    } catch (error) {
      setStep('asking');
      failed(error);
    }
  };

  if (step === 'erased')
    return (
      <Confirm
        title="account.erased"
        subtitle="account.erasedText"
        ok="account.goodbye"
        cancel={null}
        onOk={signOut}
        onCancel={signOut}
      />
    );
  return (
    <Confirm
      title="account.eraseTitle"
      subtitle="account.eraseSubtitle"
      ok="account.erase"
      isDanger
      busy={step === 'busy'}
      onOk={() => void erase()}
      onCancel={onClose}
    >
      <Field
        className="mt-4"
        label={t('account.eraseType', { text })}
        error={fault && !isRight ? t('account.eraseType', { text }) : undefined}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </Confirm>
  );
}
