import { clsx } from 'clsx';
import { Undo2 } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';

interface Props {
  /** Describes the change that can be undone. */
  text: string;
  onUndo: () => void;
  /** Called when the focus leaves the button, or at a click elsewhere. */
  onDismiss: () => void;
  className?: string;
}

/**
 * Returns the handler of the notice's blur. A pointer takes the focus before its click: the notice stays until the click
 * has reached its target, which would otherwise move from under the pointer and miss it.
 */
function useDismissal(root: RefObject<HTMLElement | null>, onDismiss: () => void): () => void {
  const isPressed = useRef(false);
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    const press = () => {
      isPressed.current = true;
    };
    const release = ({ type, target }: Event) => {
      isPressed.current = false;
      if (type === 'click' && target instanceof Node && !root.current?.contains(target)) dismiss();
    };
    window.addEventListener('pointerdown', press, options);
    window.addEventListener('pointercancel', release, options);
    window.addEventListener('click', release, options);
    return () => listeners.abort();
  }, [root]);
  return () => {
    if (!isPressed.current) onDismiss();
  };
}

/** Replaces a removed item and takes the focus it had. */
export function UndoNotice({ text, onUndo, onDismiss, className }: Props) {
  const t = useT();
  const root = useRef<HTMLDivElement>(null);
  const onBlur = useDismissal(root, onDismiss);
  return (
    <div
      ref={root}
      className={clsx(
        'flex items-center justify-between gap-3 border border-line border-dashed px-4 text-sm text-muted',
        className,
      )}
    >
      <span role="status" className="line-clamp-2 min-w-0">
        {text}
      </span>
      <Button autoFocus onClick={onUndo} onBlur={onBlur} className="shrink-0 px-4">
        <Undo2 aria-hidden className="size-4" />
        {t('common.undo')}
      </Button>
    </div>
  );
}
