import type { ContinueListening, Track } from '@escucho/contracts';
import { dispatch } from './engine/events.ts';
import { useContinueListeningStore, usePlayback, usePlayer } from './engine/store.ts';
import {
  emptyContinueListening,
  getSavedPosition,
  mergeServerEntries,
  removeEntry,
  restoreEntry,
} from './model/continue-listening.ts';
import { emptyPlayer, type Source } from './model/state.ts';
import type { ProgressUpdate } from './sync/progress-queue.ts';
import { getUnsentPositions, isOwner, setOwner } from './sync/progress-storage.ts';

export { toTrack } from './model/continue-listening.ts';
export type { Source } from './model/state.ts';

/** Plays a track of a list, by its index there; what follows in the list follows in the queue (PLAY-02, PLAY-04). */
export function play(source: Source, tracks: readonly Track[], index: number): void {
  const listening = useContinueListeningStore.getState();
  const placed = tracks.map((track) => ({ ...track, progress: getSavedPosition(listening, track) }));
  dispatch({ type: 'playFrom', source, tracks: placed, index });
}

/** Plays a list from its first track in just this order: whatever was in the queue goes (LIST-06). */
export function playFromStart(source: Source, tracks: readonly Track[]): void {
  dispatch({ type: 'pause' });
  dispatch({ type: 'reset' });
  play(source, tracks, 0);
}

/** Plays what is paused, pauses what plays. */
export const togglePlayback = (): void => dispatch({ type: 'toggle' });

/** How a track stands with the player. */
export type TrackStatus = 'playing' | 'paused' | 'absent';

/** Whether a track is the active one, and whether sound is wanted of it. */
export const useTrackStatus = (id: string): TrackStatus =>
  usePlayer(({ activeTrack, isPlaying }) => {
    if (activeTrack?._id !== id) return 'absent';
    return isPlaying ? 'playing' : 'paused';
  });

/** What a press on a track does: plays it, pauses it, or, where it is locked, asks for a subscription. */
export function useTrackAction(id: string, isLocked: boolean): 'play' | 'pause' | 'lock' {
  if (useTrackStatus(id) === 'playing') return 'pause';
  return isLocked ? 'lock' : 'play';
}

/** Where a track is in the player, in seconds; null while another is there, or none. */
export function useTrackPosition(id: string): number | null {
  const isActive = useTrackStatus(id) !== 'absent';
  return usePlayback(({ position }) => (isActive ? position : null));
}

/** Hears the active track from a position, in seconds. */
export const seekTo = (position: number): void => dispatch({ type: 'seek', position });

/** What the reader has begun, last heard first (PLAY-05). */
export const useContinueListening = (): readonly ContinueListening[] =>
  useContinueListeningStore((listening) => listening.entries);

/** Whether the reader has begun anything; unlike the list it changes seldom. */
export const useHasContinueListening = (): boolean =>
  useContinueListeningStore(({ entries }) => entries.length > 0);

/** Where the reader left a track, in seconds. */
export const useSavedPosition = (track: Track): number =>
  useContinueListeningStore((listening) => getSavedPosition(listening, track));

/** Forgets a reader who has left: queue and places. Volume and speed stay, and what was not sent waits for them. */
export function clearListening(): void {
  dispatch({ type: 'reset' });
  usePlayer.setState(({ volume, speed, muted }) => ({
    ...emptyPlayer,
    ...{ volume, speed, muted, usualSpeed: speed },
  }));
  useContinueListeningStore.setState(emptyContinueListening);
  setOwner(null);
}

/** What is kept here belongs to one reader: it is forgotten when another comes. In: the id of the one who is here. */
export function switchListeningUser(reader: string): void {
  if (isOwner(reader)) return;
  clearListening();
  setOwner(reader);
}

/**
 * To be called before the server is asked what a reader has begun. In: the reader's id. Out: takes the answer; lists, and
 * a player at rest, follow it but for places that were saved meanwhile or not sent yet.
 */
export function startProgressMerge(reader: string): (entries: readonly ContinueListening[]) => void {
  switchListeningUser(reader);
  const before = useContinueListeningStore.getState().positions;
  return (entries) => {
    const now = useContinueListeningStore.getState().positions;
    const saved = Object.entries(now).filter(([id, place]) => before[id] !== place);
    const ours = { ...Object.fromEntries(saved), ...getUnsentPositions() };
    useContinueListeningStore.setState((listening) => mergeServerEntries(listening, entries, ours));
    const places = Object.fromEntries(entries.map(({ _id, progress }) => [_id, progress]));
    const heardOn = Object.fromEntries(
      entries.flatMap(({ _id, heardOn }) => (heardOn ? [[_id, heardOn]] : [])),
    );
    dispatch({ type: 'remotePositionsReceived', places: { ...places, ...ours }, heardOn });
  };
}

/** Tells the server of a place, by code that comes with the player: pages do not wait for it. */
const keep = (place: Omit<ProgressUpdate, 'at'>): void =>
  void import('./sync/progress-sync.ts').then((keeper) => keeper.saveProgress(place)).catch(() => undefined);

/**
 * Takes a track out of continue listening, as skipping it does: offline too, and in order with the places around it.
 * Out: puts it back where it was.
 */
export function removeFromContinueListening(entry: ContinueListening): () => void {
  const index = useContinueListeningStore.getState().entries.findIndex(({ _id }) => _id === entry._id);
  const place = { track: entry._id, position: entry.progress };
  useContinueListeningStore.setState((listening) => removeEntry(listening, entry._id));
  keep({ ...place, cause: 'skip' });
  return () => {
    useContinueListeningStore.setState((listening) => restoreEntry(listening, entry, Math.max(0, index)));
    keep({ ...place, cause: 'pause' });
  };
}
