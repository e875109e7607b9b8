import { limits, type Playlist, type Track } from '@escucho/contracts';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { play } from '#features/player/player.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { later, part } from '#shared/part.ts';
import { DragHandle } from '#shared/ui/drag-handle.tsx';
import { Dropped } from '#shared/ui/dropped.tsx';
import { useMoving } from '#shared/use-moving.ts';
import type { useTracks } from '../use-tracks.ts';
import type { Moved } from './long-list.tsx';
import { TrackRow } from './track-row.tsx';

const Confirm = part(async () => (await import('#shared/ui/confirm.tsx')).Confirm);
const MoreRows = part(async () => (await import('#shared/ui/more-rows.tsx')).MoreRows);
const LongList = lazy(later(() => import('./long-list.tsx')));

interface Props {
  playlist: Playlist;
  title: string;
  list: ReturnType<typeof useTracks>;
}

/** The tracks of a playlist; the reader's own can be moved and taken out (LIST-05, LIST-06). */
export function TrackList({ playlist, title, list }: Props) {
  const t = useT();
  const { query, tracks, dropped } = list;
  const [asked, setAsked] = useState<Track | null>(null);
  const total = query.data?.pages.at(-1)?.totalDocs ?? tracks.length;
  const [said, setSaid] = useState('');
  const [moved, setMoved] = useState<Moved | null>(null);
  const ids = tracks.map(({ _id }) => _id);
  const { drag, begin, to } = useMoving(ids, (id, index) => {
    const track = tracks.find(({ _id }) => _id === id);
    if (!track || !list.move(track, index)) return false;
    const n = Math.max(1, Math.min(index + 1, tracks.length));
    setMoved({ id, index: n - 1 });
    setSaid(t('playlists.movedTo', { title: track.title, n, all: total }));
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
      mark={drag?.over?.id === track._id ? drag.over.side : undefined}
      {...(isOwn && {
        start: (
          <DragHandle
            label={t('playlists.move', { title: track.title, n: index + 1, all: total })}
            index={index}
            total={total}
            onMove={(place) => to(track._id, place)}
            onDragStart={begin(track._id)}
          />
        ),
        more: [
          { id: 'remove', label: t('playlists.remove'), onSelect: () => setAsked(track), opensDialog: true },
        ],
      })}
    />
  ));
  if (dropped) {
    const index = tracks.findIndex(({ _id }) => _id === dropped.after) + 1;
    const row = (
      <Dropped
        key="dropped"
        text={t('playlists.removed', { title: dropped.track.title })}
        onUndo={list.undo}
        onLeave={list.forgetDropped}
        className="min-h-16 rounded-md"
      />
    );
    rows.splice(index, 0, row);
  }
  if (query.hasNextPage)
    rows.push(
      <Suspense key="more">
        <MoreRows query={query} failed={t('playlists.moreFailed')} />
      </Suspense>,
    );
  return (
    <section aria-label={t('playlists.tracksOf', { name: title })} className="-mx-2 mt-8 max-w-6xl">
      <p role="status" className="sr-only">
        {said}
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
        {asked && (
          <Confirm
            title="playlists.removeTitle"
            params={{ title: asked.title }}
            ok="playlists.delete"
            isDanger
            onCancel={() => setAsked(null)}
            onOk={() => {
              setAsked(null);
              list.remove(asked);
            }}
          />
        )}
      </Suspense>
    </section>
  );
}
