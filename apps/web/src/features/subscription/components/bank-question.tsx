import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';

interface Props {
  text: MessageKey;
  busy: boolean;
  onAnswer: (does: 'succeeds' | 'refused') => Promise<void>;
}

/** What a bank would ask in a frame of its own, in the embedded sandbox. */
export function BankQuestion({ text, busy, onAnswer }: Props) {
  const t = useT();
  return (
    <fieldset className="grid gap-5 rounded-lg border border-line bg-overlay px-4 py-3">
      <legend className="sr-only">{t('checkout.bankTitle')}</legend>
      <p aria-hidden className="font-semibold">
        {t('checkout.bankTitle')}
      </p>
      <p className="text-sm text-muted">{t(text)}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="solid" busy={busy} onClick={() => void onAnswer('succeeds')}>
          {t('checkout.approve')}
        </Button>
        <Button disabled={busy} onClick={() => void onAnswer('refused')}>
          {t('checkout.refuse')}
        </Button>
      </div>
    </fieldset>
  );
}
