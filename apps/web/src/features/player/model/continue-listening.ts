import type { ContinueListening, ProgressCause, Track } from '@escucho/contracts';
import type { Source } from './state.ts';

/** What the reader has begun, last heard first, and the places saved here since the server last told us (PLAY-05). */
export interface ContinueListeningState {
  entries: readonly ContinueListening[];
  positions: Readonly<Record<string, number>>;
}

export const emptyContinueListening: ContinueListeningState = { entries: [], positions: {} };

/** `skip` and `ended` take a track out of continue listening. */
const leaves: readonly ProgressCause[] = ['skip', 'ended'];

const entryOf = (track: Track, progress: number): ContinueListening => ({
  _id: track._id,
  title: track.title,
  duration: track.duration,
  audio: track.url,
  image: track.image,
  artwork: track.artwork,
  language: track.language,
  level: track.level,
  narrator: { name: track.artist, image: null },
  progress,
  kind: track.kind,
  topic: track.topic,
  loudness: track.loudness,
  like: track.like,
});

/** An entry as a track to play, from a source. */
export const toTrack =
  ({ name, playlist }: Source) =>
  (entry: ContinueListening): Track => ({
    _id: entry._id,
    url: entry.audio,
    title: entry.title,
    artist: entry.narrator.name,
    artwork: entry.artwork,
    loudness: entry.loudness,
    duration: entry.duration,
    progress: entry.progress,
    like: entry.like ?? false,
    image: entry.image,
    source: name,
    playlist,
    kind: entry.kind,
    language: entry.language,
    level: entry.level,
    topic: entry.topic,
  });

/** The list after a place was saved: the track comes first with its place, or leaves when it was skipped or heard to the end. */
export function recordProgress(
  listening: ContinueListeningState,
  track: Track,
  position: number,
  cause: ProgressCause,
): ContinueListeningState {
  const known = listening.entries.find(({ _id }) => _id === track._id);
  const others = listening.entries.filter(({ _id }) => _id !== track._id);
  const places = { ...listening.positions, [track._id]: cause === 'ended' ? 0 : position };
  if (leaves.includes(cause)) return { entries: others, positions: places };
  return {
    entries: [{ ...entryOf(track, position), ...known, progress: position }, ...others],
    positions: places,
  };
}

/** The list without a track; its place is kept. */
export const removeEntry = (listening: ContinueListeningState, id: string): ContinueListeningState => ({
  ...listening,
  entries: listening.entries.filter(({ _id }) => _id !== id),
});

/** The list with an entry back where it was. */
export function restoreEntry(
  listening: ContinueListeningState,
  entry: ContinueListening,
  index: number,
): ContinueListeningState {
  const entries = [...removeEntry(listening, entry._id).entries];
  entries.splice(index, 0, entry);
  return { ...listening, entries };
}

/**
 * The server's list, with what it cannot know yet: tracks with unsent places stay as they are here.
 * In: what is kept here, the server's list, unsent places by track.
 */
export function mergeServerEntries(
  listening: ContinueListeningState,
  server: readonly ContinueListening[],
  unsent: Readonly<Record<string, number>>,
): ContinueListeningState {
  const isUnsent = ({ _id }: ContinueListening) => Object.hasOwn(unsent, _id);
  const ours = listening.entries.filter(isUnsent);
  return { entries: [...ours, ...server.filter((entry) => !isUnsent(entry))], positions: { ...unsent } };
}

/** Where a track was left: saved here since the server's answer, or as the answer says. Seconds. */
export const getSavedPosition = (
  listening: ContinueListeningState,
  track: { _id: string; progress: number },
): number => listening.positions[track._id] ?? track.progress;
