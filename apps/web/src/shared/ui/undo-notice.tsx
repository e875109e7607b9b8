import { Undo2 } from 'lucide-react';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { cn } from './cn.ts';

interface Props {
  /** What was done. */
  text: string;
  onUndo: () => void;
  /** The reader has turned to something else. */
  onDismiss: () => void;
  className?: string;
}

/** Stands where something was taken out, and holds the focus it had, so that the way back is at hand. */
export function UndoNotice({ text, onUndo, onDismiss: onLeave, className }: Props) {
  const t = useT();
  return (
    <div
      className={cn(
        'flex items-center justify-between gap-3 border border-line border-dashed px-4 text-sm text-muted',
        className,
      )}
    >
      <span role="status" className="line-clamp-2 min-w-0 text-pretty">
        {text}
      </span>
      <Button autoFocus onClick={onUndo} onBlur={onLeave} className="shrink-0 px-4">
        <Undo2 aria-hidden className="size-4" />
        {t('common.undo')}
      </Button>
    </div>
  );
}
