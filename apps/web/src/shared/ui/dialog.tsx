import { clsx } from 'clsx';
import { X } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type MessageKey, type MessageParams, useT } from '../i18n/i18n.ts';
import { useLocation } from '../location.tsx';
import { Button, IconButton } from './button.tsx';
import { Toasts } from './toast.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Hides the title visually; it still names the dialog. */
  hideTitle?: boolean;
  /** The edge of the window that it is at: `left` for navigation, `right` for lists, `bottom` on phones. */
  side?: 'left' | 'right' | 'bottom';
  className?: string;
}

/**
 * Closes a dialog after back or forward, which change the page below it.
 *
 * @param close called in the layout phase, before the focus goes to the heading of the page
 */
export function useCloseOnBack(close: () => void): void {
  const { key, action } = useLocation();
  const [firstKey] = useState(key);
  const handleBack = useEffectEvent(close);
  useLayoutEffect(() => {
    if (action === 'pop' && key !== firstKey) handleBack();
  }, [key, action, firstKey]);
}

/**
 * A modal `<dialog>`, which brings the focus trap, the inert page, Escape and focus return (SHELL-09). It is open while it
 * is rendered; `onClose` is called after Escape, the close button, a click outside, back or forward, and not when it is
 * unmounted.
 */
export function Dialog({ title, onClose, children, hideTitle, side, className }: Props) {
  const t = useT();
  const ref = useRef<HTMLDialogElement>(null);
  // A text selection that is dragged out of the dialog ends with a click outside.
  const pressed = useRef<EventTarget>(null);
  const heading = useId();
  const handleClose = useEffectEvent(onClose);
  // Closes in the layout phase, while the element is still in the document, so that the focus returns.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    dialog.onclose = () => handleClose();
    dialog.showModal();
    return () => {
      // Browsers send the close event asynchronously.
      dialog.onclose = null;
      dialog.close();
    };
  }, []);
  useCloseOnBack(() => ref.current?.close());
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a <dialog> natively
    <dialog
      ref={ref}
      aria-labelledby={heading}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => target === ref.current && target === pressed.current && ref.current?.close()}
      className={clsx(side ? `drawer drawer-${side}` : 'dialog', className)}
    >
      <div className="dialog-body">
        <div
          className={clsx(
            'flex items-center justify-between gap-4',
            hideTitle ? 'absolute top-4 right-4 z-10' : 'mb-4',
          )}
        >
          <h2
            id={heading}
            className={hideTitle ? 'sr-only' : 'min-w-0 font-serif text-lg font-semibold text-balance'}
          >
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

/**
 * Returns a ref that is true while the component is mounted. What a dialog does at the end of a request depends on it:
 * `onClose` of a dialog that is closed already could close another one.
 */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

interface DialogActionsProps {
  submitLabel: string;
  busy: boolean;
  cancelLabel?: string;
  onCancel: () => void;
}

/** The buttons under the form of a dialog. */
export function DialogActions({ submitLabel, busy, cancelLabel, onCancel }: DialogActionsProps) {
  const t = useT();
  return (
    <div className="mt-2 flex flex-wrap justify-end gap-3">
      <Button onClick={onCancel}>{cancelLabel ?? t('common.cancel')}</Button>
      <Button type="submit" variant="solid" busy={busy}>
        {submitLabel}
      </Button>
    </div>
  );
}

interface ConfirmDialogProps {
  /** Title and subtitle are message keys; `params` applies to both. */
  title: MessageKey;
  subtitle?: MessageKey;
  params?: MessageParams;
  children?: ReactNode;
  /** Labels of the buttons; null hides one. */
  ok?: MessageKey | null;
  cancel?: MessageKey | null;
  /** Shows OK as a destructive action. */
  isDanger?: boolean;
  busy?: boolean;
  onOk?: () => void;
  /** Called on Cancel, Escape, the close button, or a click outside. */
  onCancel: () => void;
}

/** The confirmation dialog (SHELL-09). The focus starts on Cancel and returns to where it was. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    subtitle,
    params,
    children,
    ok = 'common.ok',
    cancel = 'common.cancel',
    busy = false,
  } = props;
  const t = useT();
  const foot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => foot.current?.querySelector('button')?.focus(), []);
  return (
    <Dialog title={t(title, params)} onClose={props.onCancel}>
      {subtitle && <p className="-mt-2 text-muted text-pretty">{t(subtitle, params)}</p>}
      {children}
      <div ref={foot} className="mt-6 flex flex-wrap justify-end gap-3 empty:hidden">
        {cancel && <Button onClick={props.onCancel}>{t(cancel)}</Button>}
        {ok && (
          <Button variant={props.isDanger ? 'danger' : 'solid'} busy={busy} onClick={props.onOk}>
            {t(ok)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Null runs the action at once. */
  dialog: Omit<ConfirmDialogProps, 'busy' | 'onOk' | 'onCancel'> | null;
  /** Runs the action; `close` closes the dialog. */
  onConfirm: (close: () => void) => void;
}

/** A button with an action that runs once it is confirmed in a dialog. */
export function ConfirmButton({ dialog, busy = false, onConfirm, ...button }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const confirm = () => onConfirm(close);
  return (
    <>
      <Button {...button} busy={busy && !isOpen} onClick={dialog ? () => setOpen(true) : confirm} />
      {isOpen && dialog && <ConfirmDialog {...dialog} busy={busy} onOk={confirm} onCancel={close} />}
    </>
  );
}
