import { useCallback } from 'react';
import { useLanguage } from '../../../shared/i18n/i18n.ts';
import { play } from '../../player/player.ts';
import { type Row, rowTitle, sourceOf } from '../model/shelves.ts';
import { Shelf } from './shelf.tsx';
import { TrackCard, type TrackTools } from './track-card.tsx';

/** How many covers of the first row every screen shows at once; a browser finds out itself which of the others it needs. */
const firstSeen = 3;

/** A system playlist as a row that plays as a source by its name (CAT-02). */
export function PlaylistShelf({ row, isFirst, Tools }: { row: Row; isFirst: boolean; Tools: TrackTools }) {
  const language = useLanguage();
  const playAt = useCallback((index: number) => play(sourceOf(row.playlist), row.tracks, index), [row]);
  return (
    <Shelf title={rowTitle(row.playlist, language)} size="covers" first={row.tracks[0]?._id ?? ''}>
      {row.tracks.map((track, index) => (
        <TrackCard
          key={track._id}
          track={track}
          index={index}
          isFirst={isFirst && index < firstSeen}
          onPlay={playAt}
          Tools={Tools}
        />
      ))}
    </Shelf>
  );
}
