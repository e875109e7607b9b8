import { limits } from '@escucho/contracts';
import { create } from 'zustand';
import { ApiError, getErrorKey } from '../api/client.ts';
import { getT } from '../i18n/i18n.ts';

export type ToastKind = 'success' | 'error' | 'message';
export type ToastPosition = 'top-right' | 'bottom-center';

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

/** Removes a toast. */
export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** Registers a layer that renders toasts; the returned function removes it. */
export function addToastLayer(id: string): () => void {
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

/** Dismisses the errors shown at a position. */
export function dismissErrors(position: ToastPosition): void {
  useToasts.setState(({ toasts }) => ({
    toasts: toasts.filter((toast) => toast.kind !== 'error' || toast.position !== position),
  }));
}
