import type { Track } from '@escucho/contracts';
import type { Source } from './state.ts';

type Queue = readonly Track[];

/** Where a track is in the queue; -1 when it is not. */
export const findTrackIndex = (queue: Queue, id: string | undefined): number =>
  queue.findIndex((track) => track._id === id);

const tagWithSource = (source: Source, tracks: Queue): Queue => {
  const seen = new Set<string>();
  return tracks
    .filter(({ _id }) => !seen.has(_id) && seen.add(_id))
    .map((track) => ({ ...track, source: source.name, playlist: source.playlist }));
};

const isFrom = (source: Source) => (track: Track) =>
  track.source === source.name && track.playlist === source.playlist;

/**
 * PLAY-02: tracks of another source replace the queue; those of the same source are appended where missing.
 * Tracks already there keep their place in the order and their progress, and take the newer address.
 */
export function mergeTracks(queue: Queue, source: Source, tracks: Queue): Queue {
  const given = tagWithSource(source, tracks);
  if (!queue.every(isFrom(source))) return given;
  const kept = queue.map((track) => {
    const newer = given.find(({ _id }) => _id === track._id);
    return newer ? { ...newer, progress: track.progress } : track;
  });
  return [...kept, ...given.filter(({ _id }) => findTrackIndex(queue, _id) < 0)];
}

/** The queue with a track's place written down. */
export const setTrackProgress = (queue: Queue, id: string, progress: number): Queue =>
  queue.map((track) => (track._id === id ? { ...track, progress } : track));
