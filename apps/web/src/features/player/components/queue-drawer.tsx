import { Trash2, Undo2 } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Drawer } from '#shared/ui/dialog.tsx';
import { SortableItem, SortableList } from '#shared/ui/sortable-list.tsx';
import { EmptyState, WaveformIllustration } from '#shared/ui/states.tsx';
import { dispatch } from '../engine/events.ts';
import { usePlayer } from '../engine/store.ts';
import { QueueRow } from './queue-row.tsx';
import { useQueueEdits } from './use-queue-edits.ts';

/** The tracks in their order: skip to one, move it, take it out. */
function QueueList({ changes }: { changes: ReturnType<typeof useQueueEdits> }) {
  const t = useT();
  const queue = usePlayer((player) => player.queue);
  const activeId = usePlayer(({ activeTrack }) => activeTrack?._id);
  const active = queue.findIndex(({ _id }) => _id === activeId);
  const ids = queue.map(({ _id }) => _id);
  const findTrack = (id: string) => queue.find(({ _id }) => _id === id);
  const toParams = (id: string, n: number) => ({ title: findTrack(id)?.title ?? '', n, all: queue.length });
  return (
    <SortableList
      ids={ids}
      onMove={(id, index) => {
        const track = findTrack(id);
        return track !== undefined && changes.move(track, index);
      }}
      messages={{
        instructions: t('queue.sortHelp'),
        pickedUp: (id, n) => t('queue.pickedUp', toParams(id, n)),
        movedOver: (id, n) => t('queue.moved', toParams(id, n)),
        cancelled: (id, n) => t('queue.sortCancelled', toParams(id, n)),
      }}
    >
      {(moveTo) => (
        <ol className="-mx-2 grid gap-1">
          {queue.map((track, index) => (
            <li key={track._id}>
              <SortableItem
                id={track._id}
                index={index}
                total={queue.length}
                label={t('queue.move', toParams(track._id, index + 1))}
                moveTo={moveTo}
              >
                {(handle) => (
                  <QueueRow
                    track={track}
                    isActive={index === active}
                    handle={handle}
                    onSkip={() => {
                      changes.forget();
                      dispatch({ type: 'skipTo', index });
                    }}
                    onPlayNext={
                      index === active || index === active + 1 ? null : () => changes.playNext(track)
                    }
                    onRemove={() => changes.remove(track, queue[index + 1] ?? queue[index - 1])}
                  />
                )}
              </SortableItem>
            </li>
          ))}
        </ol>
      )}
    </SortableList>
  );
}

/** What plays and what follows (PLAY-07): skip, move, play next, take out, clear; the last change can be taken back. */
export default function QueueDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const length = usePlayer(({ queue }) => queue.length);
  const changes = useQueueEdits();
  return (
    <Drawer
      side="right"
      title={t('player.queue')}
      onClose={onClose}
      className="[&>.dialog-body]:flex [&>.dialog-body]:flex-col"
    >
      {length === 0 ? (
        <EmptyState
          illustration={<WaveformIllustration />}
          title={t('queue.empty')}
          text={t('player.nothingHint')}
        />
      ) : (
        <>
          <div className="mb-3 flex items-center justify-between gap-3">
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
              <span className="line-clamp-2 min-w-0">{changes.last.said}</span>
              <Button ref={changes.undo} variant="ghost" onClick={changes.takeBack} className="shrink-0 px-4">
                <Undo2 aria-hidden className="size-4" />
                {t('queue.undo')}
              </Button>
            </>
          )}
        </div>
      </div>
    </Drawer>
  );
}
