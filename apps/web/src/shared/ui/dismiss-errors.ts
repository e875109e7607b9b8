import { type ToastPlace, useToasts } from './toast.ts';

/** Takes away what was said of errors at a place: whoever goes on has mended them, or left them behind. */
export function dismissErrors(where: ToastPlace): void {
  useToasts.setState(({ toasts }) => ({
    toasts: toasts.filter(({ kind, place }) => kind !== 'error' || place !== where),
  }));
}
