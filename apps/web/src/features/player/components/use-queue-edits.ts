import type { Track } from '@escucho/contracts';
import { useLayoutEffect, useRef, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { dispatch, getCurrentPosition, usePlayer } from '../engine/store.ts';
import { setTrackProgress } from '../model/queue.ts';

/** The last edit of the queue: its message, the track, and the queue before it. */
interface Change {
  message: string;
  id: string | null;
  before: { queue: readonly Track[]; activeId: string };
}

/** Returns the edits of the queue (PLAY-07), each announced and undoable. Consecutive moves of one track are undone together. */
export function useQueueEdits() {
  const t = useT();
  const [last, setLast] = useState<Change | null>(null);
  const undoButton = useRef<HTMLButtonElement>(null);
  const focusAfter = useRef<(() => HTMLElement | null | undefined) | null>(null);
  // The focused element may have been removed.
  useLayoutEffect(() => {
    focusAfter.current?.()?.focus();
    focusAfter.current = null;
  });

  const change = (message: string, id: string | null, apply: () => void): void => {
    const { queue, activeTrack } = usePlayer.getState();
    if (!activeTrack) return;
    const activeId = activeTrack._id;
    const before =
      last && id !== null && last.id === id
        ? last.before
        : { queue: setTrackProgress(queue, activeId, getCurrentPosition()), activeId };
    apply();
    setLast({ message, id, before });
  };

  return {
    last,
    undoButton,
    dismiss: () => setLast(null),
    move: ({ _id: id, title }: Track, index: number): boolean => {
      const { length } = usePlayer.getState().queue;
      if (index < 0 || index >= length) return false;
      change(t('queue.moved', { title, n: index + 1, all: length }), id, () =>
        dispatch({ type: 'move', id, index }),
      );
      return true;
    },
    playNext: ({ _id: id, title }: Track): void => {
      const { queue, activeTrack } = usePlayer.getState();
      const [from, active] = [id, activeTrack?._id].map((one) => queue.findIndex(({ _id }) => _id === one));
      const n = (active ?? 0) + ((from ?? 0) < (active ?? 0) ? 1 : 2);
      change(t('queue.moved', { title, n, all: queue.length }), id, () => dispatch({ type: 'playNext', id }));
    },
    remove: ({ _id: id, title }: Track, neighbour: Track | undefined): void => {
      focusAfter.current = () =>
        neighbour
          ? document.querySelector<HTMLElement>(`dialog [data-row="${neighbour._id}"] [data-remove]`)
          : undoButton.current;
      change(t('queue.removed', { title }), null, () => dispatch({ type: 'remove', id }));
    },
    clear: (): void => {
      focusAfter.current = () => undoButton.current;
      change(t('queue.cleared'), null, () => {
        dispatch({ type: 'pause' });
        dispatch({ type: 'reset' });
      });
    },
    undoLast: (): void => {
      if (!last) return;
      dispatch({ type: 'restoreQueue', ...last.before });
      const { activeId } = last.before;
      const id = last.id ?? activeId;
      focusAfter.current = () =>
        document.querySelector<HTMLElement>(`dialog [data-row="${id}"] [data-handle]`);
      setLast(null);
    },
  };
}
