import type { Track } from '@escucho/contracts';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { SortableList } from '#shared/ui/sortable-list.tsx';

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
  renderList: (rows: ReactElement[], moved: MovedRow | null) => ReactNode;
}

/** The tracks of a playlist with handles to sort them by, for its owner (LIST-06). */
export function SortableTracks({ tracks, total, onMove, renderRow, renderList }: Props) {
  const t = useT();
  const [announcement, setAnnouncement] = useState('');
  const [moved, setMoved] = useState<MovedRow | null>(null);
  const move = (track: Track, target: number): boolean => {
    if (!onMove(track, target)) return false;
    const index = Math.max(0, Math.min(target, tracks.length - 1));
    setMoved({ id: track._id, index });
    setAnnouncement(t('queue.moved', { title: track.title, n: index + 1, all: total }));
    return true;
  };
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <SortableList items={tracks} total={total} onMove={move} renderItem={renderRow}>
        {(rows) => renderList(rows, moved)}
      </SortableList>
    </>
  );
}
