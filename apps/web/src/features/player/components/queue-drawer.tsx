import type { Track } from '@escucho/contracts';
import { Trash2, X } from 'lucide-react';
import { useFormat, useT } from '../../../shared/i18n/i18n.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { cn } from '../../../shared/ui/cn.ts';
import { Drawer } from '../../../shared/ui/dialog.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { EchoPicture } from '../../../shared/ui/pictures.tsx';
import { EmptyState } from '../../../shared/ui/states.tsx';
import { dispatch } from '../dispatch.ts';
import { usePlayer } from '../store.ts';
import { Cover } from './cover.tsx';
import { Equalizer } from './equalizer.tsx';

function QueueItem({ track, index, isActive }: { track: Track; index: number; isActive: boolean }) {
  const t = useT();
  const format = useFormat();
  return (
    <li className={cn('flex items-center rounded-md pr-1', isActive ? 'bg-accent-soft' : 'hover:bg-hover')}>
      <button
        type="button"
        aria-current={isActive ? 'true' : undefined}
        onClick={() => dispatch({ type: 'skipTo', index })}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md p-2 text-left"
      >
        <span className="relative shrink-0">
          <Cover src={track.image} size={48} className="size-12 rounded-sm" />
          {isActive && (
            <span className="absolute inset-0 grid place-items-center rounded-sm bg-veil text-accent">
              <Equalizer />
            </span>
          )}
        </span>
        <span className="min-w-0 flex-1">
          <span
            lang={track.language}
            className={cn('block truncate text-sm font-medium', isActive && 'text-accent-text')}
          >
            {track.title}
          </span>
          <span className="block truncate text-xs text-muted">
            {track.artist} · {format.clock(track.duration)}
          </span>
        </span>
      </button>
      <IconButton
        label={t('player.queueRemove', { title: track.title })}
        onClick={() => dispatch({ type: 'remove', id: track._id })}
      >
        <X />
      </IconButton>
    </li>
  );
}

function clear(): void {
  dispatch({ type: 'pause' });
  dispatch({ type: 'reset' });
}

/** What plays and what follows: skip to it, take it out, clear. */
export default function QueueDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const queue = usePlayer((player) => player.queue);
  const activeId = usePlayer(({ activeTrack }) => activeTrack?._id);
  return (
    <Drawer side="right" title={t('player.queue')} onClose={onClose}>
      {queue.length === 0 ? (
        <EmptyState picture={<EchoPicture />} title={t('player.queueEmpty')} text={t('player.nothingHint')} />
      ) : (
        <>
          <div className="mb-3 flex items-center justify-between gap-3">
            <p className="min-w-0 text-sm text-muted">{t.count('player.queueCount', queue.length)}</p>
            <Button look="ghost" className="-mr-2 shrink-0 px-3" onClick={clear}>
              <Trash2 aria-hidden className="size-4" />
              {t('player.queueClear')}
            </Button>
          </div>
          <ol className="-mx-2 grid gap-1">
            {queue.map((track, index) => (
              <QueueItem key={track._id} track={track} index={index} isActive={track._id === activeId} />
            ))}
          </ol>
        </>
      )}
    </Drawer>
  );
}
