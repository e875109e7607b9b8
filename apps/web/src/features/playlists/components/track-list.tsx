import type { Playlist, Track } from '@escucho/contracts';
import { clsx } from 'clsx';
import { type ReactElement, type ReactNode, useState } from 'react';
import { playFromList, useTrackButton, useTrackStatus } from '#features/player/player.ts';
import { isSubscribed, useIsLocked } from '#features/session/session.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { RowCover } from '#shared/ui/cover.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { LoadMore, LongList } from '#shared/ui/load-more.tsx';
import type { MenuEntry } from '#shared/ui/menu-popup.tsx';
import type { MovedRow } from '#shared/ui/virtual-list.tsx';
import type { usePlaylistTracks } from '../use-playlist-tracks.ts';

const ConfirmDialog = lazyComponent(async () => (await import('#shared/ui/dialog.tsx')).ConfirmDialog);
const TrackRowTools = lazyComponent(async () => (await import('./track-tools.tsx')).TrackRowTools);
const SortableTracks = lazyComponent(
  async () => (await import('#shared/ui/sortable-list.tsx')).SortableList<Track>,
  'player',
);

interface TrackRowProps {
  track: Track;
  onPlay: () => void;
  /** Shown before the cover, such as a drag handle. */
  start?: ReactNode;
  menuEntries?: readonly MenuEntry[];
}

/** A track of a list; a press anywhere on it plays or pauses. */
function TrackRow({ track, onPlay, start, menuEntries = [] }: TrackRowProps) {
  const format = useFormat();
  const isActive = useTrackStatus(track._id) !== 'absent';
  const { action, button } = useTrackButton(track, useIsLocked(track.url), onPlay);
  return (
    <div
      data-row={track._id}
      className={clsx(
        'group relative flex items-center gap-3 rounded-md px-2 py-2 hover:bg-hover',
        isActive && 'bg-accent-soft',
      )}
    >
      <button type="button" {...button} className="absolute inset-0 rounded-md" />
      {start}
      <span className="pointer-events-none relative size-12 shrink-0 overflow-hidden rounded-sm">
        <RowCover src={track.image} action={action} />
      </span>
      <span className="pointer-events-none min-w-0 flex-1">
        <span
          lang={track.language}
          className={clsx('line-clamp-2 text-sm font-medium', isActive && 'text-accent-text')}
        >
          {track.title}
        </span>
        <span className="block truncate text-xs text-muted">
          {track.artist} · {track.level}
          <span className="sm:hidden"> · {format.time(track.duration)}</span>
        </span>
      </span>
      <LazyBoundary fallback={<span className="h-11" />}>
        <TrackRowTools track={track} entries={menuEntries} />
      </LazyBoundary>
    </div>
  );
}

interface Props {
  playlist: Playlist;
  title: string;
  list: ReturnType<typeof usePlaylistTracks>;
}

/** The tracks of a playlist; its owner can move and remove them (LIST-05, LIST-06). */
export function TrackList({ playlist, title, list }: Props) {
  const t = useT();
  const { query, items: tracks } = list;
  const [trackToRemove, setTrackToRemove] = useState<Track | null>(null);
  const [moved, setMoved] = useState<(MovedRow & { announcement: string }) | null>(null);
  const total = query.data?.pages.at(-1)?.totalDocs ?? tracks.length;
  const isOwn = playlist.origin !== 'system';
  const source = { name: playlist.name, playlist: playlist._id };

  const move = (track: Track, target: number): boolean => {
    if (!list.move(track, target)) return false;
    const index = Math.max(0, Math.min(target, tracks.length - 1));
    const announcement = t('queue.moved', { title: track.title, n: index + 1, all: total });
    setMoved({ id: track._id, index, announcement });
    return true;
  };

  const renderRow = (track: Track, index: number, start: ReactNode) => (
    <TrackRow
      key={track._id}
      track={track}
      start={start}
      onPlay={() => playFromList(isSubscribed(), source, tracks, index, { isOwn })}
      {...(isOwn && {
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
  );

  /** Renders the list with the notice of the track that was removed, and what loads the next page. */
  const renderList = (trackRows: readonly ReactElement[]) => {
    const rows = [...list.addNotice(trackRows)];
    if (query.hasNextPage) rows.push(<LoadMore key="more" query={query} />);
    return <LongList rows={rows} total={total} moved={moved} />;
  };

  const renderStatic = (start?: ReactNode) =>
    renderList(tracks.map((track, index) => renderRow(track, index, start)));
  return (
    <section aria-label={t('playlists.tracksOf', { name: title })} className="-mx-2 mt-8 max-w-6xl">
      {isOwn ? (
        // The rows are there before the code that sorts them; the space of the handles is reserved.
        <LazyBoundary
          fallback={renderStatic(<span className="-ml-2 size-11 shrink-0 pointer-fine:size-10" />)}
        >
          <p role="status" className="sr-only">
            {moved?.announcement}
          </p>
          <SortableTracks items={tracks} total={total} onMove={move} renderItem={renderRow}>
            {renderList}
          </SortableTracks>
        </LazyBoundary>
      ) : (
        renderStatic()
      )}
      <LazyBoundary onFailed={() => setTrackToRemove(null)}>
        {trackToRemove && (
          <ConfirmDialog
            title="playlists.removeTitle"
            params={{ title: trackToRemove.title }}
            ok="playlists.removeConfirm"
            isDanger
            onCancel={() => setTrackToRemove(null)}
            onOk={() => {
              setTrackToRemove(null);
              list.remove(trackToRemove);
            }}
          />
        )}
      </LazyBoundary>
    </section>
  );
}
