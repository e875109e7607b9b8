import type { Track } from '@escucho/contracts';
import { clsx } from 'clsx';
import { ListStart, Trash2, Undo2, X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button, IconButton } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { SortableList } from '#shared/ui/sortable-list.tsx';
import { EmptyState } from '#shared/ui/states.tsx';
import { dispatch, getCurrentPosition, usePlayer } from '../engine/store.ts';
import { findTrackIndex, setTrackProgress } from '../model/queue.ts';
import type { PlayerEvent } from '../model/state.ts';
import { PlayerAnnouncement } from './player-controls.tsx';
import './equalizer.css';

const delays = ['0ms', '-420ms', '-210ms', '-630ms'];

/** Four bars, animated while sound plays. */
function Equalizer({ className }: { className?: string }) {
  const isPlaying = usePlayer(({ phase }) => phase === 'playing');
  return (
    <span aria-hidden className={clsx('flex h-4 items-end gap-0.5', className)}>
      {delays.map((delay) => (
        <span
          key={delay}
          className={clsx(
            'h-full w-0.75 origin-bottom rounded-full bg-current',
            isPlaying ? 'equalizer-bar' : 'scale-y-30',
          )}
          style={{ animationDelay: delay }}
        />
      ))}
    </span>
  );
}

interface QueueRowProps {
  track: Track;
  isActive: boolean;
  handle: ReactNode;
  onSkip: () => void;
  /** Null when the track plays next anyway. */
  onPlayNext: (() => void) | null;
  onRemove: () => void;
}

function QueueRow({ track, isActive, handle, onSkip, onPlayNext, onRemove }: QueueRowProps) {
  const t = useT();
  const format = useFormat();
  const { title } = track;
  return (
    <div
      data-row={track._id}
      className={clsx(
        'relative flex items-center rounded-md',
        isActive ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      {handle}
      <button
        type="button"
        aria-current={isActive ? 'true' : undefined}
        onClick={onSkip}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md py-2 text-left"
      >
        <span className="relative shrink-0 max-[22rem]:hidden">
          <Cover src={track.image} size={48} className="size-12 rounded-sm" />
          {isActive && (
            <span
              data-theme="dark"
              className="absolute inset-0 grid place-items-center rounded-sm bg-veil text-accent"
            >
              <Equalizer />
            </span>
          )}
        </span>
        <span className="min-w-0 flex-1">
          <span
            lang={track.language}
            className={clsx('line-clamp-2 text-sm leading-tight font-medium', isActive && 'text-accent-text')}
          >
            {title}
          </span>
          <span className="block truncate text-xs text-muted">
            {track.artist} · {format.time(track.duration)}
          </span>
        </span>
      </button>
      {onPlayNext && (
        <IconButton label={t('queue.playNext', { title })} onClick={onPlayNext}>
          <ListStart />
        </IconButton>
      )}
      <IconButton data-remove label={t('queue.remove', { title })} onClick={onRemove}>
        <X />
      </IconButton>
    </div>
  );
}

/** The last edit of the queue: its message, the track, and the queue before it. */
interface Change {
  message: string;
  id: string | null;
  before: { queue: readonly Track[]; activeId: string };
}

/** Returns the edits of the queue (PLAY-07), each announced and undoable. Consecutive moves of one track are undone together. */
function useQueueEdits() {
  const t = useT();
  const [last, setLast] = useState<Change | null>(null);
  /** Selects what takes the focus of an element that is removed. */
  const focusTarget = useRef<string>(null);
  useLayoutEffect(() => {
    if (!focusTarget.current) return;
    document.querySelector<HTMLElement>(`dialog ${focusTarget.current}`)?.focus();
    focusTarget.current = null;
  });

  const change = (message: string, id: string | null, ...events: readonly PlayerEvent[]): void => {
    const { queue, activeTrack } = usePlayer.getState();
    if (!activeTrack) return;
    const activeId = activeTrack._id;
    const before =
      last && id !== null && last.id === id
        ? last.before
        : { queue: setTrackProgress(queue, activeId, getCurrentPosition()), activeId };
    for (const event of events) dispatch(event);
    setLast({ message, id, before });
  };

  return {
    last,
    dismiss: () => setLast(null),
    move: ({ _id: id, title }: Track, index: number): boolean => {
      const { length } = usePlayer.getState().queue;
      if (index < 0 || index >= length) return false;
      change(t('queue.moved', { title, n: index + 1, all: length }), id, { type: 'move', id, index });
      return true;
    },
    playNext: ({ _id: id, title }: Track): void => {
      const { queue, activeTrack } = usePlayer.getState();
      const active = findTrackIndex(queue, activeTrack?._id);
      const n = active + (findTrackIndex(queue, id) < active ? 1 : 2);
      change(t('queue.moved', { title, n, all: queue.length }), id, { type: 'playNext', id });
    },
    remove: ({ _id: id, title }: Track, neighbour: Track | undefined): void => {
      focusTarget.current = neighbour ? `[data-row="${neighbour._id}"] [data-remove]` : '[data-undo]';
      change(t('common.removed', { title }), null, { type: 'remove', id });
    },
    clear: (): void => {
      focusTarget.current = '[data-undo]';
      change(t('queue.cleared'), null, { type: 'pause' }, { type: 'reset' });
    },
    undoLast: (): void => {
      if (!last) return;
      dispatch({ type: 'restoreQueue', ...last.before });
      focusTarget.current = `[data-row="${last.id ?? last.before.activeId}"] [data-handle]`;
      setLast(null);
    },
  };
}

function QueueList({ changes }: { changes: ReturnType<typeof useQueueEdits> }) {
  const queue = usePlayer((player) => player.queue);
  const activeId = usePlayer(({ activeTrack }) => activeTrack?._id);
  const active = findTrackIndex(queue, activeId);
  return (
    <SortableList
      items={queue}
      total={queue.length}
      onMove={changes.move}
      renderItem={(track, index, handle) => (
        <QueueRow
          track={track}
          isActive={index === active}
          handle={handle}
          onSkip={() => {
            changes.dismiss();
            dispatch({ type: 'skipTo', index });
          }}
          onPlayNext={index === active || index === active + 1 ? null : () => changes.playNext(track)}
          onRemove={() => changes.remove(track, queue[index + 1] ?? queue[index - 1])}
        />
      )}
    >
      {(rows) => (
        <ol className="-mx-2 grid grid-cols-1 gap-1">
          {rows.map((row) => (
            <li key={row.key}>{row}</li>
          ))}
        </ol>
      )}
    </SortableList>
  );
}

/** The queue (PLAY-07): skip, move, play next, remove, clear, and undo of the last change. */
export function QueueDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const length = usePlayer(({ queue }) => queue.length);
  const changes = useQueueEdits();
  return (
    <Dialog
      side="right"
      title={t('player.queue')}
      onClose={onClose}
      className="[&>.dialog-body]:flex [&>.dialog-body]:flex-col"
    >
      <PlayerAnnouncement />
      {length === 0 ? (
        <EmptyState title={t('queue.empty')} text={t('player.nothingHint')} />
      ) : (
        <>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-x-3">
            <p className="min-w-0 text-sm text-muted">{t.count('queue.count', length)}</p>
            <Button variant="ghost" className="-mr-2 shrink-0 px-3" onClick={changes.clear}>
              <Trash2 aria-hidden className="size-4" />
              {t('queue.clear')}
            </Button>
          </div>
          <QueueList changes={changes} />
        </>
      )}
      <div className="sticky bottom-4 z-10 mt-auto pt-4">
        <div
          role="status"
          className="flex items-center justify-between gap-3 rounded-lg border border-line bg-overlay py-2 pr-2 pl-4 text-sm shadow-pop empty:hidden"
        >
          {changes.last && (
            <>
              <span className="line-clamp-2 min-w-0">{changes.last.message}</span>
              <Button data-undo variant="ghost" onClick={changes.undoLast} className="shrink-0 px-4">
                <Undo2 aria-hidden className="size-4" />
                {t('common.undo')}
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
