import { limits, type Playlist, type Track } from '@escucho/contracts';
import { lazy, memo, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { play, togglePlayback, useTrackAction, useTrackStatus } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent, lazyImport } from '#shared/lazy.ts';
import { cn } from '#shared/ui/cn.ts';
import { DragHandle } from '#shared/ui/drag-handle.tsx';
import type { MenuEntry } from '#shared/ui/menu.tsx';
import { RowCover } from '#shared/ui/row-cover.tsx';
import { UndoNotice } from '#shared/ui/undo-notice.tsx';
import { useMoving } from '#shared/use-moving.ts';
import type { usePlaylistTracks } from '../use-playlist-tracks.ts';
import type { Moved } from './long-list.tsx';

const ConfirmDialog = lazyComponent(
  async () => (await import('#shared/ui/confirm-dialog.tsx')).ConfirmDialog,
);
const LoadMore = lazyComponent(async () => (await import('#shared/ui/load-more.tsx')).LoadMore);
const TrackRowTools = lazyComponent(async () => (await import('./track-tools.tsx')).TrackRowTools);
const LongList = lazy(lazyImport(() => import('./long-list.tsx')));

const actionKeys = {
  play: 'playlists.play',
  pause: 'playlists.pause',
  lock: 'playlists.playLocked',
} as const;

interface TrackRowProps {
  track: Track;
  onPlay: () => void;
  /** Shown before the cover, such as a drag handle. */
  start?: ReactNode;
  menuEntries?: readonly MenuEntry[];
  isDragged?: boolean;
  /** The side on which a dragged row would land. */
  dropSide?: 'before' | 'after' | undefined;
}

/** A track of a list; a press anywhere on it plays or pauses. */
const TrackRow = memo(
  ({ track, onPlay, start, menuEntries = [], isDragged = false, dropSide }: TrackRowProps) => {
    const t = useT();
    const format = useFormat();
    const isActive = useTrackStatus(track._id) !== 'absent';
    const action = useTrackAction(track._id, useIsLocked(track.url));
    return (
      <div
        data-row={track._id}
        className={cn(
          'group relative flex items-center gap-3 rounded-md px-2 py-2 hover:bg-hover',
          isActive && 'bg-accent-soft',
          isDragged && 'opacity-40',
        )}
      >
        <button
          type="button"
          aria-label={t(actionKeys[action], { title: track.title })}
          onClick={() => (action === 'pause' ? togglePlayback() : onPlay())}
          className="absolute inset-0 rounded-md"
        />
        {start}
        <span className="pointer-events-none relative size-12 shrink-0 overflow-hidden rounded-sm">
          <RowCover src={track.image} does={action} />
        </span>
        <span className="pointer-events-none min-w-0 flex-1">
          <span
            lang={track.language}
            className={cn('block truncate text-sm font-medium', isActive && 'text-accent-text')}
          >
            {track.title}
          </span>
          <span className="block truncate text-xs text-muted">
            {track.artist} · {track.level}
            <span className="sm:hidden"> · {format.time(track.duration)}</span>
          </span>
        </span>
        <Suspense fallback={<span className="h-11" />}>
          <TrackRowTools track={track} entries={menuEntries} />
        </Suspense>
        {dropSide && (
          <span
            aria-hidden
            className={cn(
              'absolute inset-x-2 h-0.5 rounded-full bg-accent',
              dropSide === 'before' ? '-top-px' : '-bottom-px',
            )}
          />
        )}
      </div>
    );
  },
);

interface Props {
  playlist: Playlist;
  title: string;
  list: ReturnType<typeof usePlaylistTracks>;
}

/** The tracks of a playlist; its owner can move and remove them (LIST-05, LIST-06). */
export function TrackList({ playlist, title, list }: Props) {
  const t = useT();
  const { query, tracks, removed } = list;
  const [trackToRemove, setTrackToRemove] = useState<Track | null>(null);
  const total = query.data?.pages.at(-1)?.totalDocs ?? tracks.length;
  const [announcement, setAnnouncement] = useState('');
  const [moved, setMoved] = useState<Moved | null>(null);
  const ids = tracks.map(({ _id }) => _id);
  const { drag, begin, to } = useMoving(ids, (id, index) => {
    const track = tracks.find(({ _id }) => _id === id);
    if (!track || !list.move(track, index)) return false;
    const n = Math.max(1, Math.min(index + 1, tracks.length));
    setMoved({ id, index: n - 1 });
    setAnnouncement(t('playlists.movedTo', { title: track.title, n, all: total }));
    return true;
  });
  const isOwn = playlist.origin !== 'system';
  const source = { name: playlist.name, playlist: playlist._id };

  const rows: ReactElement[] = tracks.map((track, index) => (
    <TrackRow
      key={track._id}
      track={track}
      onPlay={() => play(source, tracks, index)}
      isDragged={drag?.id === track._id}
      dropSide={drag?.over?.id === track._id ? drag.over.side : undefined}
      {...(isOwn && {
        start: (
          <DragHandle
            label={t('playlists.move', { title: track.title, n: index + 1, all: total })}
            index={index}
            total={total}
            onMove={(newIndex) => to(track._id, newIndex)}
            onDragStart={begin(track._id)}
          />
        ),
        menuEntries: [
          {
            id: 'remove',
            label: t('playlists.remove'),
            onSelect: () => setTrackToRemove(track),
            opensDialog: true,
          },
        ],
      })}
    />
  ));
  if (removed) {
    const index = tracks.findIndex(({ _id }) => _id === removed.previousId) + 1;
    const row = (
      <UndoNotice
        key="removed"
        text={t('playlists.removed', { title: removed.track.title })}
        onUndo={list.undo}
        onDismiss={list.dismissRemoved}
        className="min-h-16 rounded-md"
      />
    );
    rows.splice(index, 0, row);
  }
  if (query.hasNextPage)
    rows.push(
      <Suspense key="more">
        <LoadMore query={query} failed={t('playlists.moreFailed')} />
      </Suspense>,
    );
  return (
    <section aria-label={t('playlists.tracksOf', { name: title })} className="-mx-2 mt-8 max-w-6xl">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {total > limits.pageSize.max ? (
        <Suspense>
          <LongList rows={rows} total={total} moved={moved} />
        </Suspense>
      ) : (
        <ol>
          {rows.map((row) => (
            <li key={row.key}>{row}</li>
          ))}
        </ol>
      )}
      <Suspense>
        {trackToRemove && (
          <ConfirmDialog
            title="playlists.removeTitle"
            params={{ title: trackToRemove.title }}
            ok="playlists.delete"
            isDanger
            onCancel={() => setTrackToRemove(null)}
            onOk={() => {
              setTrackToRemove(null);
              list.remove(trackToRemove);
            }}
          />
        )}
      </Suspense>
    </section>
  );
}
