import { Undo2 } from 'lucide-react';
import { useT } from '../../../shared/i18n/i18n.ts';
import { Button } from '../../../shared/ui/button.tsx';

interface Props {
  onUndo: () => void;
  /** The reader has turned to something else. */
  onLeave: () => void;
}

/** Stands where a card was taken out, and holds the focus it had, so that the way back is at hand. */
export function DroppedCard({ onUndo, onLeave }: Props) {
  const t = useT();
  return (
    <li className="flex min-h-24 snap-start items-center justify-between gap-3 rounded-lg border border-line border-dashed px-4 text-sm text-muted">
      <span role="status">{t('discover.dropped')}</span>
      <Button autoFocus onClick={onUndo} onBlur={onLeave} className="shrink-0 px-4">
        <Undo2 aria-hidden className="size-4" />
        {t('discover.undo')}
      </Button>
    </li>
  );
}
