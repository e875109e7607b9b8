import { X } from 'lucide-react';
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { useT } from '../i18n/i18n.ts';
import { cn } from './cn.ts';
import { IconButton } from './icon-button.tsx';
import { Toasts } from './toasts.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Leaves the title to the content's own design; it still names the dialog. */
  hideTitle?: boolean;
  className?: string;
}

/**
 * A modal on the platform's own <dialog>: focus trap, inert page, Escape and focus return come with it (SHELL-09).
 * Draw it to open it; `onClose` is called once it has closed by Escape, the cross or a click outside, and not when it is
 * drawn no more.
 */
export function Dialog({ title, onClose, children, hideTitle = false, className }: Props) {
  return (
    <ModalSurface title={title} onClose={onClose} hideTitle={hideTitle} className={cn('dialog', className)}>
      {children}
    </ModalSurface>
  );
}

/** The same, from an edge: `left` for navigation, `right` for lists, `bottom` on phones. */
export function Drawer({ side, className, ...rest }: Props & { side: 'left' | 'right' | 'bottom' }) {
  return <ModalSurface {...rest} className={cn('drawer', `drawer-${side}`, className)} />;
}

function ModalSurface({ title, onClose, children, hideTitle, className }: Props) {
  const t = useT();
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const closed = useEffectEvent(onClose);
  // Before the element goes, so that the focus goes back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const drawn = new AbortController();
    // The platform says that a dialog closed some time after it did.
    dialog?.addEventListener('close', () => closed(), { signal: drawn.signal });
    dialog?.showModal();
    return () => {
      drawn.abort();
      dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes by Escape, which the platform turns into onClose
    <dialog
      ref={ref}
      aria-labelledby={heading}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
      className={className}
    >
      <div className="dialog-body">
        <div
          className={cn(
            'flex items-center justify-between gap-4',
            hideTitle ? 'absolute top-4 right-4 z-10' : 'mb-4',
          )}
        >
          <h2 id={heading} className={hideTitle ? 'sr-only' : 'font-serif text-lg font-semibold'}>
            {title}
          </h2>
          <IconButton label={t('common.close')} onClick={() => ref.current?.close()} className="-mr-2">
            <X />
          </IconButton>
        </div>
        {children}
      </div>
      <Toasts />
    </dialog>
  );
}
