import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useT } from '../i18n/i18n.ts';
import { cn } from './cn.ts';
import {
  addToastLayer,
  dismissToast,
  type Toast,
  type ToastKind,
  type ToastPosition,
  useToasts,
} from './toast.ts';

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
      <Icon aria-hidden className={cn('size-5 shrink-0', iconClassNames[toast.kind])} />
      {/* The action wraps below the text if there is no room beside it. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <span className="flex-1 basis-56">{toast.text}</span>
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
        className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-hover pointer-fine:size-8"
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
      className={cn(
        'pointer-events-none fixed z-60 flex w-max max-w-[min(26rem,calc(100vw-2rem))] flex-col gap-2',
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
