import { Undo2 } from 'lucide-react';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { cn } from './cn.ts';

interface Props {
  /** Describes the change that can be undone. */
  text: string;
  onUndo: () => void;
  /** Called when the focus leaves the button. */
  onDismiss: () => void;
  className?: string;
}

/** Replaces a removed item and takes the focus it had. */
export function UndoNotice({ text, onUndo, onDismiss, className }: Props) {
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
      <Button autoFocus onClick={onUndo} onBlur={onDismiss} className="shrink-0 px-4">
        <Undo2 aria-hidden className="size-4" />
        {t('common.undo')}
      </Button>
    </div>
  );
}
