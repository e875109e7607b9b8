import { limits } from '@escucho/contracts';
import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import { ApiError, getErrorKey } from '../api/client.ts';
import { getT, useT } from '../i18n/i18n.ts';

type ToastKind = 'success' | 'error' | 'message';
type ToastPosition = 'top-right' | 'bottom-center';

/** The button of a toast, e.g. Undo. */
interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  id: number;
  text: string;
  kind: ToastKind;
  position: ToastPosition;
  action: ToastAction | undefined;
}

interface ToastState {
  toasts: readonly Toast[];
  /** Ids of the mounted `Toasts`: the page's, then one for each open modal. The last one renders the toasts. */
  layers: readonly string[];
}

/** The toasts shown now. */
export const useToasts = create<ToastState>(() => ({ toasts: [], layers: [] }));

let lastId = 0;

/** Dismisses toasts, such as those whose action another user would undo. */
export function dismissToasts(isDismissed: (toast: Toast) => boolean): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => !isDismissed(toast)) }));
}

/** Dismisses a toast by its id. */
export const dismissToast = (id: number): void => dismissToasts((toast) => toast.id === id);

/** Registers a layer that renders toasts; the returned function removes it. */
function addToastLayer(id: string): () => void {
  useToasts.setState(({ layers }) => ({ layers: [...layers, id] }));
  return () => useToasts.setState(({ layers }) => ({ layers: layers.filter((layer) => layer !== id) }));
}

/** Shows a toast for 5000 ms (SHELL-10); it replaces one with the same text. Sign-in errors are at `bottom-center`. */
export function toast(
  text: string,
  kind: ToastKind = 'success',
  position: ToastPosition = 'top-right',
  action?: ToastAction,
): void {
  lastId += 1;
  const id = lastId;
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter((shown) => shown.text !== text), { id, text, kind, position, action }].slice(
      -4,
    ),
  }));
  setTimeout(() => dismissToast(id), limits.toast.close);
}

/** Shows a change with a button that undoes it. Returns the id of the toast. */
export function toastWithUndo(text: string, undo: () => void, kind: ToastKind = 'success'): number {
  toast(text, kind, 'top-right', { label: getT()('common.undo'), run: undo });
  return lastId;
}

/** Shows why a call failed, in the server's words where it names an invalid field, such as an exceeded limit. */
export function toastError(error: unknown): void {
  const message = error instanceof ApiError ? error.fields[0]?.message : undefined;
  toast(message ?? getT()(getErrorKey(error)), 'error');
}

const icons = { success: CircleCheck, error: CircleAlert, message: Info } as const;
const iconClassNames: Record<ToastKind, string> = {
  success: 'text-success',
  error: 'text-danger',
  message: 'text-accent-text',
};
const positionClassNames: Record<ToastPosition, string> = {
  'top-right': 'top-20 right-4 items-end',
  'bottom-center': 'bottom-8 left-1/2 -translate-x-1/2 items-center',
};

function Message({ toast }: { toast: Toast }) {
  const t = useT();
  const { action } = toast;
  const Icon = icons[toast.kind];
  const item = useRef<HTMLLIElement>(null);
  const previousFocus = useRef<Element>(null);
  // Browsers drop the focus of what disappears.
  useLayoutEffect(() => {
    const { current } = item;
    return () => {
      if (current?.contains(document.activeElement) && previousFocus.current instanceof HTMLElement)
        previousFocus.current.focus({ preventScroll: true });
    };
  }, []);
  return (
    <li
      ref={item}
      onFocus={({ currentTarget, relatedTarget }) => {
        // Null where the window had lost the focus.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget;
      }}
      data-theme="light"
      className="toast pointer-events-auto flex items-center gap-3 rounded-lg border border-line bg-overlay py-2 pr-2 pl-4 text-sm text-ink shadow-pop"
    >
      <Icon aria-hidden className={clsx('size-5 shrink-0', iconClassNames[toast.kind])} />
      {/* The action wraps below the text if there is no room beside it. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center sm:gap-x-3">
        <span className="flex-1 basis-32 wrap-anywhere">{toast.text}</span>
        {action && (
          <button
            type="button"
            onClick={() => {
              dismissToast(toast.id);
              action.run();
            }}
            className="min-h-11 shrink-0 rounded-full px-3 font-semibold text-accent-text hover:bg-hover pointer-fine:min-h-8"
          >
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        aria-label={t('common.close')}
        onClick={() => dismissToast(toast.id)}
        className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-hover max-sm:-ml-3 pointer-fine:size-8"
      >
        <X className="size-4" />
      </button>
    </li>
  );
}

const noToasts: readonly Toast[] = [];

/**
 * The live regions of the toasts (SHELL-10). The page and each modal mount their own, because a modal makes the page inert;
 * the topmost renders the toasts.
 */
export function Toasts() {
  const t = useT();
  const id = useId();
  useEffect(() => addToastLayer(id), [id]);
  const toasts = useToasts((state) => (state.layers.at(-1) === id ? state.toasts : noToasts));
  return (['top-right', 'bottom-center'] as const).map((position) => (
    <ol
      key={position}
      aria-live="polite"
      aria-label={t('shell.notifications')}
      className={clsx(
        'pointer-events-none fixed z-60 flex w-max max-w-[min(26rem,calc(100%-2rem))] flex-col gap-2',
        positionClassNames[position],
      )}
    >
      {toasts
        .filter((toast) => toast.position === position)
        .map((toast) => (
          <Message key={toast.id} toast={toast} />
        ))}
    </ol>
  ));
}
