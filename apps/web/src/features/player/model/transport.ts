import { limits, type ProgressCause, type Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex, mergeTracks, setTrackProgress } from './queue.ts';
import {
  clampPosition,
  type Effect,
  emptyPlayer,
  getStartPosition,
  type PlayerState,
  type Source,
  type Transition,
} from './state.ts';

export const unchanged = (state: PlayerState): Transition => ({ state, effects: [] });
export const addEffects = ({ state, effects }: Transition, ...more: Effect[]): Transition => ({
  state,
  effects: [...effects, ...more],
});

/** Saves the place of the active track, if it has one. */
export function saveProgress(state: PlayerState, cause: ProgressCause): Transition {
  const { activeTrack: track, progress } = state;
  if (!track) return unchanged(state);
  const left = cause === 'ended' ? 0 : progress;
  return {
    state: { ...state, unsavedSeconds: 0, queue: setTrackProgress(state.queue, track._id, left) },
    effects: [{ type: 'saveProgress', track, position: progress, cause }],
  };
}

const activeIndex = (state: PlayerState) => findTrackIndex(state.queue, state.activeTrack?._id);
export const isLoaded = ({ phase }: PlayerState) => phase !== 'idle' && phase !== 'error';

/** Stops the sound and keeps the track. */
const stopSound = (state: PlayerState): PlayerState => ({
  ...state,
  isPlaying: false,
  isInterrupted: false,
  phase: isLoaded(state) && state.phase !== 'loading' ? 'paused' : state.phase,
});

/** The gate is closed: the reader is told, and what sounds goes on sounding. */
const refuseAccess = (state: PlayerState, track: Track): Transition => ({
  state,
  effects: [{ type: 'refused', track }],
});

/**
 * Begins the active track's audio at the state's progress; `fresh` asks for a new address first, `isInterrupted` for what other
 * devices have done before that.
 */
export function loadTrack(
  state: PlayerState,
  track: Track,
  fresh = track.url === null,
  isInterrupted = false,
): Transition {
  const begun = {
    isPlaying: true,
    isStalled: false,
    error: null,
    urlRefreshed: fresh,
    isReloaded: false,
    isInterrupted,
  };
  return {
    state: { ...state, ...begun, isUserSeek: false, phase: 'loading' },
    effects: [{ type: 'load', track, position: state.progress, fresh, isInterrupted }],
  };
}

/** Leaves the active track for another of the queue and plays that, if the gate lets (PLAY-04). */
export function goToTrack(state: PlayerState, index: number, cause: ProgressCause, gate: Gate): Transition {
  const track = state.queue[index];
  if (!track) return unchanged(state);
  if (gate({ source: track.source, index }) === 'closed') {
    return cause === 'ended'
      ? addEffects(saveProgress(stopSound(state), cause), { type: 'refused', track })
      : refuseAccess(state, track);
  }
  const left = isLoaded(state) || cause === 'skip' ? saveProgress(state, cause) : unchanged(state);
  const there = {
    activeTrack: track,
    progress: getStartPosition(track),
    autoAdvanced: cause === 'ended' && !state.autoAdvanced,
  };
  const begun = loadTrack({ ...left.state, ...there }, track);
  return { state: begun.state, effects: [...left.effects, ...begun.effects] };
}

/** PLAY-02: the first add sets the active track; nothing sounds yet. */
export function addTracks(state: PlayerState, source: Source, tracks: readonly Track[]): Transition {
  if (tracks.length === 0) return unchanged(state);
  const queue = mergeTracks(state.queue, source, tracks);
  const active = queue[findTrackIndex(queue, state.activeTrack?._id)];
  if (active) return unchanged({ ...state, queue, activeTrack: active });
  const first = queue[0];
  if (!first) return unchanged(state);
  const left = isLoaded(state)
    ? addEffects(saveProgress(state, 'pause'), { type: 'unload' })
    : unchanged(state);
  return {
    state: { ...resetPlayer(state).state, queue, activeTrack: first, progress: getStartPosition(first) },
    effects: left.effects,
  };
}

/** Plays a track of a source: its list becomes the queue, or only that track where it plays alone (PLAY-04). */
export function playFromSource(
  state: PlayerState,
  { source, tracks, index }: { source: Source; tracks: readonly Track[]; index: number },
  gate: Gate,
): Transition {
  const wanted = tracks[index];
  if (!wanted) return unchanged(state);
  const verdict = gate({ source: source.name, index });
  if (verdict === 'closed') return refuseAccess(state, wanted);
  const isActive = state.activeTrack?._id === wanted._id;
  const left = !isActive && isLoaded(state) ? saveProgress(state, 'pause') : unchanged(state);
  const queue =
    verdict === 'alone' ? mergeTracks([], source, [wanted]) : mergeTracks(left.state.queue, source, tracks);
  const track = queue[findTrackIndex(queue, wanted._id)];
  if (!track) return unchanged(state);
  const there: PlayerState = { ...left.state, queue, activeTrack: track, autoAdvanced: false };
  if (isActive) return resume(there);
  const begun = loadTrack({ ...there, progress: getStartPosition(track) }, track);
  return { state: begun.state, effects: [...left.effects, ...begun.effects] };
}

/** Goes on with the active track: from the element, or by loading it at the saved place (PLAY-05). */
function resume(state: PlayerState): Transition {
  const track = state.activeTrack;
  if (!track || (state.isPlaying && isLoaded(state))) return unchanged(state);
  if (state.phase === 'error') return loadTrack(state, track, true);
  // What ran dry and was paused may wait for a network that is gone, as after a night's sleep of the machine.
  if (state.phase === 'idle' || state.isStalled) return loadTrack(state, track);
  const phase = state.phase === 'loading' ? 'loading' : 'buffering';
  const going: PlayerState = { ...state, isPlaying: true, isUserSeek: false, phase };
  if (state.progress < track.duration) return { state: going, effects: [{ type: 'play' }] };
  return { state: { ...going, progress: 0 }, effects: [{ type: 'seek', position: 0 }, { type: 'play' }] };
}

/** Play, by way of the gate. */
export function play(state: PlayerState, gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track) return unchanged(state);
  const verdict = gate({ source: track.source, index: activeIndex(state) });
  return verdict === 'closed' ? refuseAccess(state, track) : resume(state);
}

/** PLAY-05: pausing saves the place. What was cut off stays so. */
export function pause(state: PlayerState): Transition {
  if (!state.isPlaying) return unchanged(state.isInterrupted ? { ...state, isInterrupted: false } : state);
  const { state: saved, effects } = saveProgress(stopSound(state), 'pause');
  return { state: saved, effects: [{ type: 'pause' }, ...effects] };
}

/** PLAY-03, PLAY-05: the next track; at the last it stops. With the flag the one left is taken out of continue listening. */
export function nextTrack(state: PlayerState, removeFromContinue: boolean, gate: Gate): Transition {
  const index = activeIndex(state) + 1;
  const cause = removeFromContinue ? 'skip' : 'pause';
  if (index < state.queue.length) return goToTrack(state, index, cause, gate);
  const stopped = stopSound(state);
  const left = removeFromContinue || state.isPlaying ? saveProgress(stopped, cause) : unchanged(stopped);
  return addEffects(left, { type: 'pause' });
}

/** PLAY-03: the track before; at the first it stays. */
export function previousTrack(state: PlayerState, gate: Gate): Transition {
  const index = activeIndex(state) - 1;
  return index >= 0 ? goToTrack(state, index, 'pause', gate) : unchanged(state);
}

/** PLAY-03: to an index of the queue, only if in range. */
export function skipTo(state: PlayerState, index: number, gate: Gate): Transition {
  if (!Number.isInteger(index) || !state.queue[index]) return unchanged(state);
  return index === activeIndex(state) ? play(state, gate) : goToTrack(state, index, 'pause', gate);
}

/** Sleep comes with the end of a track: what follows waits, silent. */
function sleepAtTrackEnd(over: PlayerState, index: number): Transition {
  const left = saveProgress({ ...stopSound(over), sleep: null }, 'ended');
  const following = over.queue[index];
  if (!following) return left;
  return {
    state: { ...left.state, activeTrack: following, progress: getStartPosition(following), phase: 'idle' },
    effects: [...left.effects, { type: 'unload' }],
  };
}

/** The audio is over: what follows plays if the gate lets, after the last it stops (PLAY-03, PLAY-06). */
export function finishTrack(state: PlayerState, gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track || !isLoaded(state)) return unchanged(state);
  const over: PlayerState = { ...state, progress: track.duration, phase: 'paused' };
  const index = activeIndex(state) + 1;
  if (state.sleep === 'track') return sleepAtTrackEnd(over, index);
  if (index < state.queue.length) return goToTrack(over, index, 'ended', gate);
  return saveProgress(stopSound(over), 'ended');
}

/** PLAY-02: an empty queue; volume, speeds, sleep and the drill stay. Saves nothing: whoever resets to stop listening pauses first. */
export function resetPlayer({
  volume,
  muted,
  speed,
  usualSpeed,
  speeds,
  sleep,
  practice,
}: PlayerState): Transition {
  const kept = { volume, muted, speed, usualSpeed, speeds, sleep, practice };
  return { state: { ...emptyPlayer, ...kept }, effects: [{ type: 'unload' }] };
}

const { start, far } = limits.player.place;

/**
 * PLAY-06: sets the current time, and saves it. A jump from far back to the start while it plays is saved only by playing
 * on from there, and the reader is told the way back.
 */
export function seek(state: PlayerState, position: number): Transition {
  const track = state.activeTrack;
  if (!track) return unchanged(state);
  const progress = clampPosition(track, position);
  const isLeft = progress < start && state.progress > far;
  const there: PlayerState = { ...state, progress, isUserSeek: true };
  const sought =
    isLeft && state.isPlaying ? unchanged({ ...there, unsavedSeconds: 0 }) : saveProgress(there, 'seek');
  const told: Effect[] = isLeft
    ? [{ type: 'positionChanged', track, from: state.progress, to: progress, why: 'start' }]
    : [];
  return addEffects(
    sought,
    ...(isLoaded(state) ? [{ type: 'seek', position: progress } as const] : []),
    ...told,
  );
}
