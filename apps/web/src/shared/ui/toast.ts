import { limits } from '@escucho/contracts';
import { create } from 'zustand';

export type ToastKind = 'success' | 'error' | 'message';
export type ToastPlace = 'top-right' | 'bottom-center';

/** Something to do about what was said, e.g. to undo it. */
export interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  id: number;
  text: string;
  kind: ToastKind;
  place: ToastPlace;
  action: ToastAction | undefined;
}

interface Said {
  toasts: readonly Toast[];
  /** Where toasts can be drawn, the page first, then each modal that lies over it: the last one draws them. */
  layers: readonly string[];
}

/** What is being said now; drawn by `Toasts`. */
export const useToasts = create<Said>(() => ({ toasts: [], layers: [] }));

let last = 0;

/** Takes a toast away before its time. */
export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** A layer of the page that can draw toasts, by its id. Out: takes it away again. */
export function addToastLayer(id: string): () => void {
  useToasts.setState(({ layers }) => ({ layers: [...layers, id] }));
  return () => useToasts.setState(({ layers }) => ({ layers: layers.filter((layer) => layer !== id) }));
}

/** Says something for 5000 ms (SHELL-10). In: the words, their kind, where (sign-in errors go to `bottom-center`), and what can be done about it. */
export function toast(
  text: string,
  kind: ToastKind = 'success',
  place: ToastPlace = 'top-right',
  action?: ToastAction,
): void {
  last += 1;
  const id = last;
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter((shown) => shown.text !== text), { id, text, kind, place, action }].slice(-4),
  }));
  setTimeout(() => dismissToast(id), limits.toast.close);
}
