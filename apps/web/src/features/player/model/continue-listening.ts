import type { ContinueListening, ProgressCause, Track } from '@escucho/contracts';
import type { Source } from './state.ts';

/** The tracks in progress (PLAY-05). */
export interface ContinueListeningState {
  /** Last listened first. */
  entries: readonly ContinueListening[];
  /** Positions of tracks that were played here, which pages loaded before do not have; seconds by track. */
  positions: Readonly<Record<string, number>>;
}

export const emptyContinueListening: ContinueListeningState = { entries: [], positions: {} };

const removingCauses: readonly ProgressCause[] = ['skip', 'ended'];

/** How many positions of removed tracks are stored; the oldest one is dropped. */
const MAX_REMOVED_TRACKS = 200;

const toEntry = ({ url, artist, source, playlist, ...track }: Track): ContinueListening => ({
  ...track,
  audio: url,
  narrator: { name: artist, image: null },
});

/** Returns the function that converts entries into tracks of a source. */
export const toTrack =
  ({ name, playlist }: Source) =>
  ({ audio, narrator, deviceKind, ...entry }: ContinueListening): Track => ({
    ...entry,
    url: audio,
    artist: narrator.name,
    like: entry.like ?? false,
    source: name,
    playlist,
  });

/** Records saved progress: the track moves to the front, or is removed when it was skipped or has ended. */
export function recordProgress(
  state: ContinueListeningState,
  track: Track,
  position: number,
  cause: ProgressCause,
): ContinueListeningState {
  const existing = state.entries.find(({ _id }) => _id === track._id);
  const others = state.entries.filter(({ _id }) => _id !== track._id);
  const positions = { ...state.positions, [track._id]: cause === 'ended' ? 0 : position };
  if (removingCauses.includes(cause)) return { entries: others, positions };
  const entry = { ...toEntry(track), ...existing, progress: position };
  return { entries: [entry, ...others], positions };
}

/** Sets the position of a track that another tab or device has played. */
export const setSavedPosition = (
  { entries, positions }: ContinueListeningState,
  id: string,
  position: number,
): ContinueListeningState => ({
  entries: entries.map((entry) => (entry._id === id ? { ...entry, progress: position } : entry)),
  positions: { ...positions, [id]: position },
});

/** Removes an entry; its position stays. */
export const removeEntry = (state: ContinueListeningState, id: string): ContinueListeningState => ({
  ...state,
  entries: state.entries.filter(({ _id }) => _id !== id),
});

/** Inserts an entry at its former index. */
export function restoreEntry(
  state: ContinueListeningState,
  entry: ContinueListening,
  index: number,
): ContinueListeningState {
  const entries = removeEntry(state, entry._id).entries.toSpliced(index, 0, entry);
  return { ...state, entries };
}

/**
 * Replaces the entries, and the positions of tracks that were played here, by those of the server, except for unsent
 * positions. The positions of tracks that have ended or were skipped here stay: the server's list does not have them.
 */
export function mergeServerEntries(
  state: ContinueListeningState,
  serverEntries: readonly ContinueListening[],
  unsentPositions: Readonly<Record<string, number>>,
): ContinueListeningState {
  const isUnsent = ({ _id }: ContinueListening) => Object.hasOwn(unsentPositions, _id);
  const wasPlayedHere = ({ _id }: ContinueListening) => Object.hasOwn(state.positions, _id);
  const sentPositions = serverEntries.filter(wasPlayedHere).map(({ _id, progress }) => [_id, progress]);
  const removedPositions = Object.entries(state.positions).filter(
    ([id, position]) => position === 0 || !state.entries.some(({ _id }) => _id === id),
  );
  return {
    entries: [...state.entries.filter(isUnsent), ...serverEntries.filter((entry) => !isUnsent(entry))],
    positions: {
      ...Object.fromEntries([...removedPositions.slice(-MAX_REMOVED_TRACKS), ...sentPositions]),
      ...unsentPositions,
    },
  };
}

/** Returns a track's saved position: the one saved here, or that of the server's response. Seconds. */
export const getSavedPosition = (
  state: ContinueListeningState,
  track: { _id: string; progress: number },
): number => state.positions[track._id] ?? track.progress;
