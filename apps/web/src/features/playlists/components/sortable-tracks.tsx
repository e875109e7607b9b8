import type { Track } from '@escucho/contracts';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { SortableItem, SortableList } from '#shared/ui/sortable-list.tsx';

/** A row that was moved and its new index; a new object for every move. */
export interface MovedRow {
  id: string;
  index: number;
}

interface Props {
  tracks: readonly Track[];
  /** How many tracks the playlist has, with those not loaded yet. */
  total: number;
  onMove: (track: Track, index: number) => boolean;
  renderRow: (track: Track, index: number, handle: ReactNode) => ReactElement;
  /** Renders the list around its rows. */
  renderList: (rows: ReactElement[], moved: MovedRow | null) => ReactNode;
}

/** The tracks of a playlist with handles to sort them by, for its owner (LIST-06). */
export function SortableTracks({ tracks, total, onMove, renderRow, renderList }: Props) {
  const t = useT();
  const [announcement, setAnnouncement] = useState('');
  const [moved, setMoved] = useState<MovedRow | null>(null);
  const ids = tracks.map(({ _id }) => _id);
  const findTrack = (id: string) => tracks.find(({ _id }) => _id === id);
  const getTitle = (id: string) => findTrack(id)?.title ?? '';

  const move = (id: string, target: number): boolean => {
    const track = findTrack(id);
    if (!track || !onMove(track, target)) return false;
    const index = Math.max(0, Math.min(target, tracks.length - 1));
    setMoved({ id, index });
    setAnnouncement(t('playlists.movedTo', { title: track.title, n: index + 1, all: total }));
    return true;
  };
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <SortableList
        ids={ids}
        onMove={move}
        messages={{
          instructions: t('playlists.sortHelp'),
          pickedUp: (id, n) => t('playlists.pickedUp', { title: getTitle(id), n, all: total }),
          movedOver: (id, n) => t('playlists.movedTo', { title: getTitle(id), n, all: total }),
          cancelled: (id, n) => t('playlists.sortCancelled', { title: getTitle(id), n, all: total }),
        }}
      >
        {(moveTo) =>
          renderList(
            tracks.map((track, index) => (
              <SortableItem
                key={track._id}
                id={track._id}
                index={index}
                total={total}
                label={t('playlists.move', { title: track.title, n: index + 1, all: total })}
                moveTo={moveTo}
              >
                {(handle) => renderRow(track, index, handle)}
              </SortableItem>
            )),
            moved,
          )
        }
      </SortableList>
    </>
  );
}
