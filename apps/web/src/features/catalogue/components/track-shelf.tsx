import type { Track } from '@escucho/contracts';
import { useCallback } from 'react';
import { play, type Source } from '#features/player/player.ts';
import { Shelf } from './shelf.tsx';
import { TrackCard, type TrackTools } from './track-card.tsx';

/** How many covers of the first row every screen shows at once; a browser finds out itself which of the others it needs. */
const firstSeen = 3;

interface Props {
  title: string;
  source: Source;
  tracks: readonly Track[];
  isFirst?: boolean;
  Tools: TrackTools;
}

/** Tracks as a row that plays as a source by its name (CAT-02). */
export function TrackShelf({ title, source: { name, playlist }, tracks, isFirst = false, Tools }: Props) {
  const playAt = useCallback(
    (index: number) => play({ name, playlist }, tracks, index),
    [name, playlist, tracks],
  );
  return (
    <Shelf title={title} size="covers" first={tracks[0]?._id ?? ''}>
      {tracks.map((track, index) => (
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
