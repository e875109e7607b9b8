import { limits, type ProgressCause, type Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex, mergeTracks, selectAround, setTrackProgress } from './queue.ts';
import {
  clampPosition,
  type Effect,
  emptyPlayer,
  getStartPosition,
  type PlayerEvents,
  type PlayerState,
  type Transition,
} from './state.ts';

/** Returns a transition without effects. */
export const unchanged = (state: PlayerState): Transition => ({ state, effects: [] });

/** Returns a transition with further effects after its own. */
export const addEffects = ({ state, effects }: Transition, ...added: Effect[]): Transition => ({
  state,
  effects: [...effects, ...added],
});

/** Causes after which the active track does not play on. */
const finalCauses: readonly ProgressCause[] = ['pause', 'skip', 'ended'];

/** Saves the progress of the active track, if there is one. */
export function saveProgress(state: PlayerState, cause: ProgressCause): Transition {
  const { activeTrack: track, progress, secondsPlayed } = state;
  if (!track) return unchanged(state);
  const saved = cause === 'ended' ? 0 : progress;
  return {
    state: {
      ...state,
      unsavedSeconds: 0,
      secondsPlayed: 0,
      hasPlayed: state.hasPlayed && !finalCauses.includes(cause),
      queue: setTrackProgress(state.queue, track._id, saved),
    },
    effects: [{ type: 'saveProgress', track, position: progress, cause, secondsPlayed }],
  };
}

/**
 * Saves the progress if the active track has played since it was last saved. Otherwise another device may be further
 * ahead, and its position must not be overwritten (PLAY-05).
 */
export const saveIfPlayed = (state: PlayerState, cause: ProgressCause): Transition =>
  state.hasPlayed ? saveProgress(state, cause) : unchanged(state);

const getActiveIndex = (state: PlayerState) => findTrackIndex(state.queue, state.activeTrack?._id);
/** Returns whether a track has been given to the media element, and has not failed. */
export const isLoaded = ({ phase }: PlayerState) => phase !== 'idle' && phase !== 'error';

/** Returns the state with playing stopped and the audio still loaded. */
const stopPlaying = (state: PlayerState): PlayerState => ({
  ...state,
  isPlaying: false,
  isInterrupted: false,
  phase: isLoaded(state) && state.phase !== 'loading' ? 'paused' : state.phase,
});

/** Reports that the gate is closed; what plays continues. */
const refuseAccess = (state: PlayerState, track: Track): Transition => ({
  state,
  effects: [{ type: 'refused', track }],
});

/**
 * Loads the active track at the state's progress and plays it.
 * @param refreshUrl - request a new URL first
 * @param isInterrupted - load the progress of other devices first
 */
export function loadTrack(
  state: PlayerState,
  track: Track,
  refreshUrl = track.url === null,
  isInterrupted = false,
): Transition {
  return {
    state: {
      ...state,
      phase: 'loading',
      isPlaying: true,
      error: null,
      isStalled: false,
      urlRefreshed: refreshUrl,
      isReloaded: false,
      isInterrupted,
      isUserSeek: false,
    },
    effects: [{ type: 'load', track, position: state.progress, refreshUrl, checkRemote: isInterrupted }],
  };
}

/** Saves what another track, or none, replaces. A skip is saved in any case, as it changes continue listening. */
const leaveTrack = (state: PlayerState, cause: ProgressCause): Transition => {
  if (cause === 'skip' || (cause === 'ended' && isLoaded(state))) return saveProgress(state, cause);
  return cause === 'pause' ? saveIfPlayed(state, cause) : unchanged(state);
};

/** Plays another track of the queue, if the gate is open (PLAY-04). */
export function goToTrack(state: PlayerState, index: number, cause: ProgressCause, gate: Gate): Transition {
  const track = state.queue[index];
  if (!track) return unchanged(state);
  if (gate({ source: track.source, index }) === 'closed') {
    return cause === 'ended'
      ? addEffects(saveProgress(stopPlaying(state), cause), { type: 'refused', track })
      : refuseAccess(state, track);
  }
  const saved = leaveTrack(state, cause);
  const active: PlayerState = {
    ...saved.state,
    activeTrack: track,
    progress: getStartPosition(track),
    autoAdvanced: cause === 'ended' && !state.autoAdvanced,
  };
  const loaded = loadTrack(active, track);
  return { state: loaded.state, effects: [...saved.effects, ...loaded.effects] };
}

/**
 * Plays a track of a source. The source's list becomes the queue, without what does not suit the learner, or only the track
 * where it plays alone (PLAY-04).
 */
export function playFromSource(
  state: PlayerState,
  { source, tracks, index, isOwn, restart, learning }: PlayerEvents['playFrom'],
  gate: Gate,
): Transition {
  const requested = tracks[index];
  if (!requested) return unchanged(state);
  const granted = source.playlist === null ? 'granted' : undefined;
  const access = requested.url === null ? 'withheld' : granted;
  const verdict = gate({ source: source.name, index, access });
  if (verdict === 'closed') return refuseAccess(state, requested);
  const isActive = state.activeTrack?._id === requested._id;
  const saved = isActive ? unchanged(state) : saveIfPlayed(state, 'pause');
  const following = learning && !isOwn ? selectAround(requested, tracks, learning) : tracks;
  const played = verdict === 'alone' ? [requested] : following;
  const merged = mergeTracks(restart || verdict === 'alone' ? [] : saved.state.queue, source, played);
  // The list may have been made before the position of the track that played was saved.
  const left = state.hasPlayed && !isActive ? state.activeTrack : null;
  const queue = left ? setTrackProgress(merged, left._id, state.progress) : merged;
  const track = queue[findTrackIndex(queue, requested._id)];
  if (!track) return unchanged(state);
  const active: PlayerState = { ...saved.state, queue, activeTrack: track, autoAdvanced: false };
  if (isActive) return resume(active);
  const loaded = loadTrack({ ...active, progress: getStartPosition(track) }, track);
  return { state: loaded.state, effects: [...saved.effects, ...loaded.effects] };
}

/** Resumes the active track, or loads it at the saved position (PLAY-05); at its end it starts again. */
function resume(before: PlayerState): Transition {
  const track = before.activeTrack;
  if (!track || (before.isPlaying && isLoaded(before))) return unchanged(before);
  const hasEnded = before.progress >= track.duration;
  const practice = before.practice && { ...before.practice, sentence: 0, round: 0 };
  const state: PlayerState = hasEnded ? { ...before, progress: 0, practice } : before;
  if (state.phase === 'error') return loadTrack(state, track, true);
  // Stalled audio may wait for a connection that is gone, as after the machine was suspended.
  if (state.phase === 'idle' || state.isStalled) return loadTrack(state, track);
  const phase = state.phase === 'loading' ? 'loading' : 'buffering';
  return {
    // The URL may have expired since the pause, even if it was refreshed right before.
    state: { ...state, isPlaying: true, isUserSeek: false, urlRefreshed: false, phase },
    effects: hasEnded ? [{ type: 'seek', position: 0 }, { type: 'play' }] : [{ type: 'play' }],
  };
}

/** Returns whether the active track may play. Without a list the server decides, when the URL is requested. */
export const getActiveVerdict = (state: PlayerState, { source, playlist }: Track, gate: Gate) =>
  gate({ source, index: getActiveIndex(state), access: playlist === null ? 'granted' : undefined });

/** Plays the active track, if the gate is open. */
export function play(state: PlayerState, gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track) return unchanged(state);
  return getActiveVerdict(state, track, gate) === 'closed' ? refuseAccess(state, track) : resume(state);
}

/**
 * Saves the progress of audio that the browser has paused. It is not paused again: after an interruption, iOS would not
 * resume what the page has paused.
 */
export const handlePaused = (state: PlayerState): Transition => saveIfPlayed(stopPlaying(state), 'pause');

/** Pauses and saves the progress (PLAY-05). */
export function pause(state: PlayerState): Transition {
  if (!state.isPlaying) return unchanged(state.isInterrupted ? { ...state, isInterrupted: false } : state);
  const saved = handlePaused(state);
  return { state: saved.state, effects: [{ type: 'pause' }, ...saved.effects] };
}

/**
 * Plays the next track; at the last it stops (PLAY-03, PLAY-05). After a track that plays alone, what follows requires a
 * subscription (PLAY-04). `removeFromContinue` removes the track from continue listening.
 */
export function nextTrack(state: PlayerState, removeFromContinue: boolean, gate: Gate): Transition {
  const index = getActiveIndex(state) + 1;
  const cause = removeFromContinue ? 'skip' : 'pause';
  if (index < state.queue.length) return goToTrack(state, index, cause, gate);
  const track = state.activeTrack;
  if (track && getActiveVerdict(state, track, gate) === 'alone') return refuseAccess(state, track);
  const stopped = stopPlaying(state);
  return addEffects(leaveTrack(stopped, cause), { type: 'pause' });
}

/** Plays the previous track; at the first nothing changes (PLAY-03). */
export function previousTrack(state: PlayerState, gate: Gate): Transition {
  const index = getActiveIndex(state) - 1;
  return index >= 0 ? goToTrack(state, index, 'pause', gate) : unchanged(state);
}

/** Plays the track at an index of the queue; an index out of range changes nothing (PLAY-03). */
export function skipTo(state: PlayerState, index: number, gate: Gate): Transition {
  if (!Number.isInteger(index) || !state.queue[index]) return unchanged(state);
  return index === getActiveIndex(state) ? play(state, gate) : goToTrack(state, index, 'pause', gate);
}

/** Applies the sleep timer at the end of a track: the next one is active and does not play. */
function sleepAtTrackEnd(ended: PlayerState, nextIndex: number): Transition {
  const saved = saveProgress({ ...stopPlaying(ended), sleep: null }, 'ended');
  const next = ended.queue[nextIndex];
  if (!next) return saved;
  return {
    state: { ...saved.state, activeTrack: next, progress: getStartPosition(next), phase: 'idle' },
    effects: [...saved.effects, { type: 'unload' }],
  };
}

/** Handles the end of the audio: the next track plays if the gate is open; after the last one playing stops (PLAY-03, PLAY-06). */
export function finishTrack(state: PlayerState, gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track || !isLoaded(state)) return unchanged(state);
  const ended: PlayerState = { ...state, progress: track.duration, phase: 'paused' };
  const index = getActiveIndex(state) + 1;
  if (state.sleep === 'track') return sleepAtTrackEnd(ended, index);
  if (index < state.queue.length) return goToTrack(ended, index, 'ended', gate);
  const saved = saveProgress(stopPlaying(ended), 'ended');
  const isAlone = getActiveVerdict(state, track, gate) === 'alone';
  return isAlone ? addEffects(saved, { type: 'refused', track }) : saved;
}

/**
 * Clears the queue without saving progress (PLAY-02). Volume, speeds, sleep timer and practice mode stay, and the stored
 * queue where it is that of another tab.
 */
export function resetPlayer(state: PlayerState): Transition {
  const { volume, muted, speed, usualSpeed, speeds, sleep, practice, isPlayingInOtherTab } = state;
  return {
    state: { ...emptyPlayer, volume, muted, speed, usualSpeed, speeds, sleep, practice, isPlayingInOtherTab },
    effects: [{ type: 'unload' }],
  };
}

const { start, far } = limits.player.position;

/**
 * Seeks and saves the progress (PLAY-06). While playing, a jump from far into the track to its start is saved only once
 * playing continues from there; the user is offered to go back.
 */
export function seek(state: PlayerState, position: number): Transition {
  const track = state.activeTrack;
  if (!track) return unchanged(state);
  const progress = clampPosition(track, position);
  const isJumpToStart = progress < start && state.progress > far;
  const moved: PlayerState = { ...state, progress, isUserSeek: true };
  const effects: Effect[] = isLoaded(state) ? [{ type: 'seek', position: progress }] : [];
  if (isJumpToStart)
    effects.push({ type: 'positionChanged', track, from: state.progress, to: progress, reason: 'start' });
  const saved =
    isJumpToStart && state.isPlaying
      ? unchanged({ ...moved, unsavedSeconds: 0 })
      : saveProgress(moved, 'seek');
  return addEffects(saved, ...effects);
}
