import { isSuitable, type Learning, type Track } from '@escucho/contracts';
import { removeRepeated } from '#shared/pagination.ts';
import type { Source } from './state.ts';

type Queue = readonly Track[];

/** Returns the index of a track in the queue, or -1. */
export const findTrackIndex = (queue: Queue, id: string | undefined): number =>
  queue.findIndex((track) => track._id === id);

/** Returns the tracks without duplicates, tagged with their source. */
const tagWithSource = ({ name, playlist }: Source, tracks: Queue): Queue =>
  removeRepeated(tracks, ({ _id }) => _id).map((track) => ({ ...track, source: name, playlist }));

/**
 * Returns the tracks of a list that may play before or after one of them: those that suit the learner, or, around a track
 * that does not, those that are like it.
 */
export function selectAround(requested: Track, tracks: Queue, learning: Learning): Queue {
  const { language, level } = requested;
  const target = isSuitable(requested, learning) ? learning : { language, level };
  return tracks.filter((track) => track._id === requested._id || isSuitable(track, target));
}

const isFrom = (source: Source) => (track: Track) =>
  track.source === source.name && track.playlist === source.playlist;

/**
 * PLAY-02: tracks of another source replace the queue; missing tracks of the same source are appended. Tracks that are in
 * the queue keep their order and progress, and take the newer URL.
 */
export function mergeTracks(queue: Queue, source: Source, tracks: Queue): Queue {
  const added = tagWithSource(source, tracks);
  if (!queue.every(isFrom(source))) return added;
  const existing = queue.map((track) => {
    const newer = added.find(({ _id }) => _id === track._id);
    return newer ? { ...newer, progress: track.progress } : track;
  });
  return [...existing, ...added.filter(({ _id }) => findTrackIndex(queue, _id) < 0)];
}

/** Returns the queue with a track's progress set; seconds. */
export const setTrackProgress = (queue: Queue, id: string, progress: number): Queue =>
  queue.map((track) => (track._id === id ? { ...track, progress } : track));
