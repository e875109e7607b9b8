import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx';

/** Asks first: what is cleared does not come back. */
export function ClearButton({ onClear }: { onClear: () => Promise<void> }) {
  const t = useT();
  const [isAsked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const clear = async () => {
    setBusy(true);
    await onClear();
    setBusy(false);
    setAsked(false);
  };
  return (
    <>
      <Button variant="ghost" onClick={() => setAsked(true)} className="-mr-3 shrink-0 px-3">
        <Trash2 aria-hidden className="size-4" />
        {t('history.clear')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title="history.clearTitle"
          subtitle="history.clearText"
          ok="history.clear"
          isDanger
          busy={busy}
          onOk={() => void clear()}
          onCancel={() => setAsked(false)}
        />
      )}
    </>
  );
}
