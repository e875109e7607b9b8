import { limits } from '@escucho/contracts';
import { create } from 'zustand';
import { ApiError, getErrorKey } from '../api/client.ts';
import { getT } from '../i18n/i18n.ts';

export type ToastKind = 'success' | 'error' | 'message';
export type ToastPosition = 'top-right' | 'bottom-center';

/** Something to do about what was said, e.g. to undo it. */
export interface ToastAction {
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
  position: ToastPosition = 'top-right',
  action?: ToastAction,
): void {
  last += 1;
  const id = last;
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter((shown) => shown.text !== text), { id, text, kind, position, action }].slice(
      -4,
    ),
  }));
  setTimeout(() => dismissToast(id), limits.toast.close);
}

/** Shows why a call failed, in the server's words where it names an invalid field, such as an exceeded limit. */
export function toastError(error: unknown): void {
  const message = error instanceof ApiError ? error.fields[0]?.message : undefined;
  toast(message ?? getT()(getErrorKey(error)), 'error');
}

/** Dismisses the errors shown at a position. */
export function dismissErrors(position: ToastPosition): void {
  useToasts.setState(({ toasts }) => ({
    toasts: toasts.filter((toast) => toast.kind !== 'error' || toast.position !== position),
  }));
}
