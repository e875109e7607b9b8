import type { ContinueListening, Track } from '@escucho/contracts';
import { type ComponentType, createContext } from 'react';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import {
  dispatch,
  dispatchFirst,
  useContinueListeningStore,
  usePlayback,
  usePlayer,
} from './engine/store.ts';
import {
  emptyContinueListening,
  getSavedPosition,
  mergeServerEntries,
  removeEntry,
  restoreEntry,
} from './model/continue-listening.ts';
import { createGate } from './model/gate.ts';
import { emptyPlayer, type PlayerEvents, type Source } from './model/state.ts';
import type { ProgressUpdate } from './sync/progress-queue.ts';
import { getUnsentPositions, isOwner, setOwner } from './sync/progress-storage.ts';

export { chooseList } from './engine/store.ts';
export { toTrack } from './model/continue-listening.ts';
export type { Source } from './model/state.ts';

/** The tools of a track, such as its menu, injected by the app. */
export const TrackTools = createContext<ComponentType<{ track: Track }>>(() => null);

/** Offers what to play after a track, injected by the app. */
export const NextTrack = createContext<ComponentType<{ after: Track }>>(() => null);

/**
 * Plays the track at an index of a list; the rest of the list becomes the queue (PLAY-02, PLAY-04), without what does not
 * suit what the user learns.
 */
export function play(
  source: Source,
  tracks: readonly Track[],
  index: number,
  options: Pick<PlayerEvents['playFrom'], 'isOwn' | 'restart' | 'from'> = {},
): void {
  const saved = useContinueListeningStore.getState();
  const withProgress = tracks.map((track) => ({ ...track, progress: getSavedPosition(saved, track) }));
  dispatch({ type: 'playFrom', source, tracks: withProgress, index, ...options });
}

/**
 * Plays the track at an index of a list. What is free for the user at their level is so by itself, not as a part of a list
 * (PLAY-04).
 */
export function playFromList(
  isSubscribed: boolean,
  source: Source,
  tracks: readonly Track[],
  index: number,
  options?: Parameters<typeof play>[3],
): void {
  const track = tracks[index];
  const isRefused = createGate(isSubscribed)({ source: source.name, index }) === 'closed';
  if (isRefused && track && track.url !== null) play({ name: track.title, playlist: null }, [track], 0);
  else play(source, tracks, index, options);
}

/**
 * Adds a track to the queue, after the active one or at the end (PLAY-07).
 *
 * @returns a function that undoes it
 */
export function enqueue(track: Track, at: 'next' | 'end'): () => void {
  const { queue } = usePlayer.getState();
  const progress = getSavedPosition(useContinueListeningStore.getState(), track);
  dispatch({ type: 'enqueue', track: { ...track, progress }, at });
  return () => dispatch({ type: 'undoEnqueue', id: track._id, queue });
}

/** Plays when paused, pauses when playing. */
export const togglePlayback = (): void => dispatch({ type: 'toggle' });

/** Seeks in the active track; seconds. */
export const seekTo = (position: number): void => dispatch({ type: 'seek', position });

/** `absent`: the track is not the active one. */
export type TrackStatus = 'playing' | 'paused' | 'absent';

/** Returns a track's status in the player. */
export const useTrackStatus = (id: string): TrackStatus =>
  usePlayer(({ activeTrack, isPlaying }) => {
    if (activeTrack?._id !== id) return 'absent';
    return isPlaying ? 'playing' : 'paused';
  });

/** What the button of a track does; `lock` asks for a subscription. */
export type TrackAction = 'play' | 'pause' | 'lock';

/** Returns what the button of a track does. */
export function useTrackAction(id: string, isLocked: boolean): TrackAction {
  if (useTrackStatus(id) === 'playing') return 'pause';
  return isLocked ? 'lock' : 'play';
}

const actionKeys = { play: 'discover.play', pause: 'discover.pause', lock: 'discover.playLocked' } as const;

/**
 * Returns what the button of a track does, and its props.
 *
 * @param onPlay plays the track, or asks for a subscription where it is locked
 * @param keys the messages that name what it does; their parameter is the title
 */
export function useTrackButton(
  { _id, title }: Pick<Track, '_id' | 'title'>,
  isLocked: boolean,
  onPlay: () => void,
  keys: Readonly<Record<TrackAction, MessageKey>> = actionKeys,
) {
  const t = useT();
  const action = useTrackAction(_id, isLocked);
  const onClick = action === 'pause' ? togglePlayback : onPlay;
  return { action, button: { 'aria-label': t(keys[action], { title }), onClick } };
}

/** Returns the running position of the active track in seconds; null for any other track. */
export function useTrackPosition(id: string): number | null {
  const isActive = useTrackStatus(id) !== 'absent';
  return usePlayback(({ position }) => (isActive ? position : null));
}

/** Returns the saved position of a track, in seconds. */
export const useSavedPosition = (track: Track): number =>
  useContinueListeningStore((state) => getSavedPosition(state, track));

/** Returns the tracks in progress, last listened first (PLAY-05). */
export const useContinueListening = (): readonly ContinueListening[] =>
  useContinueListeningStore(({ entries }) => entries);

/** Returns whether any track is in progress; unlike the list, this rarely changes. */
export const useHasContinueListening = (): boolean =>
  useContinueListeningStore(({ entries }) => entries.length > 0);

function clearStores(): void {
  usePlayer.setState(({ volume, speed, muted }) => ({
    ...emptyPlayer,
    volume,
    speed,
    muted,
    usualSpeed: speed,
  }));
  usePlayback.setState({ position: 0, sleep: null });
  useContinueListeningStore.setState(emptyContinueListening);
}

/**
 * Clears the queue and the positions of a user who has signed out, once the position of what plays is saved. Volume, speed
 * and unsent progress stay.
 */
export function clearListening(): void {
  dispatch({ type: 'pause' });
  dispatch({ type: 'reset' });
  clearStores();
  setOwner(null);
}

/** Assigns the stored queue and positions to a user, and clears those of another user. */
export function switchListeningUser(userId: string): void {
  if (isOwner(userId)) return;
  // Events that are queued until the player runs are this user's: a reset behind them would discard the first play.
  dispatchFirst({ type: 'reset' });
  clearStores();
  setOwner(userId);
}

/**
 * Prepares for the server's continue-listening list; call it before the request.
 * @returns a function that applies the list, except for positions that were saved or sent since the call, or are not sent yet
 */
export function startProgressMerge(userId: string): (entries: readonly ContinueListening[]) => void {
  switchListeningUser(userId);
  const before = useContinueListeningStore.getState().positions;
  const unsent = getUnsentPositions();
  return (entries) => {
    const saved = Object.entries(useContinueListeningStore.getState().positions).filter(
      ([id, position]) => before[id] !== position,
    );
    const local = { ...unsent, ...Object.fromEntries(saved), ...getUnsentPositions() };
    useContinueListeningStore.setState((state) => mergeServerEntries(state, entries, local));
    const remote = entries.filter(({ _id }) => !Object.hasOwn(local, _id));
    const positions = Object.fromEntries(remote.map(({ _id, progress }) => [_id, progress]));
    const deviceKinds = Object.fromEntries(
      remote.flatMap(({ _id, deviceKind }) => (deviceKind ? [[_id, deviceKind]] : [])),
    );
    dispatch({ type: 'remotePositionsReceived', positions, deviceKinds });
  };
}

const importProgressSync = lazyImport(() => import('./sync/progress-sync.ts'));

/** Saves progress by the player's code, which is loaded after the page. */
const saveProgress = (update: Omit<ProgressUpdate, 'at'>): void =>
  void importProgressSync()
    .then((sync) => sync.saveProgress(update))
    .catch(() => undefined);

/**
 * Removes a track from continue listening, as skipping it does. The track that plays is paused first: its next position
 * would add it again.
 * @returns a function that restores the entry
 */
export function removeFromContinueListening(shown: ContinueListening): () => void {
  if (usePlayer.getState().activeTrack?._id === shown._id) dispatch({ type: 'pause' });
  const { entries } = useContinueListeningStore.getState();
  const index = entries.findIndex(({ _id }) => _id === shown._id);
  // Pausing has saved a newer position.
  const entry = entries[index] ?? shown;
  const update = { track: entry._id, position: entry.progress, secondsPlayed: 0 };
  useContinueListeningStore.setState((state) => removeEntry(state, entry._id));
  saveProgress({ ...update, cause: 'skip' });
  return () => {
    useContinueListeningStore.setState((state) => restoreEntry(state, entry, Math.max(0, index)));
    // Unlike a pause, a seek to the saved position is no listening.
    saveProgress({ ...update, cause: 'seek' });
  };
}
