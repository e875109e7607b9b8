import { limits } from '@escucho/contracts';
import { create } from 'zustand';

export type ToastKind = 'success' | 'error' | 'message';
export type ToastPlace = 'top-right' | 'bottom-center';

export interface Toast {
  id: number;
  text: string;
  kind: ToastKind;
  place: ToastPlace;
}

/** What is being said now; drawn by `Toasts`. */
export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));

let last = 0;

/** Takes a toast away before its time. */
export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** Says something for 5000 ms (SHELL-10). In: the words, their kind, and where: sign-in errors go to `bottom-center`. */
export function toast(text: string, kind: ToastKind = 'success', place: ToastPlace = 'top-right'): void {
  last += 1;
  const id = last;
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter((shown) => shown.text !== text), { id, text, kind, place }].slice(-4),
  }));
  setTimeout(() => dismissToast(id), limits.toast.close);
}
