import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex } from './queue.ts';
import type { Effect, PlayerError, PlayerState, Transition } from './state.ts';
import { getActiveVerdict, goToTrack, loadTrack, pause, unchanged } from './transport.ts';

/** Audio that brings no data for this long is reloaded. */
export const STALL_TIMEOUT_SECONDS = 8;
/** After a longer network outage playing does not resume by itself. */
const AUTO_RESUME_LIMIT_SECONDS = 300;
/** A timer that fires with a larger delay was suspended with the machine. */
const SUSPEND_THRESHOLD_SECONDS = 60;

/**
 * Returns whether the machine was suspended. Late timers alone do not prove it: browsers throttle them while sound plays.
 * @param elapsed - seconds by the wall clock
 * @param played - seconds of sound played in that time
 */
export const wasSuspended = (elapsed: number, played: number): boolean =>
  elapsed > SUSPEND_THRESHOLD_SECONDS && played < elapsed / 4;

/** Returns whether the player waits for data that may never arrive. */
export const isWaitingForAudio = ({ phase, isPlaying }: PlayerState): boolean =>
  isPlaying && (phase === 'loading' || phase === 'buffering');

/**
 * Stops with an error that the user can retry (PLAY-06). An unavailable track that was reached by auto-advance is skipped,
 * because nobody watches a locked screen; only one in a row, so that a failing server does not skip the whole queue.
 */
export function giveUp(state: PlayerState, track: Track, error: PlayerError, gate: Gate): Transition {
  const failed: PlayerState = { ...state, phase: 'error', isPlaying: false };
  const notify: Effect = { type: 'notifyError', track, error };
  const index = findTrackIndex(state.queue, track._id) + 1;
  const next = state.queue[index];
  const isSkipped = error === 'unavailable' && state.autoAdvanced && state.isPlaying;
  if (isSkipped && next && gate({ source: next.source, index }) !== 'closed') {
    const skipped = goToTrack(failed, index, 'ended', gate);
    return { state: skipped.state, effects: [notify, ...skipped.effects] };
  }
  const isInterrupted = state.isPlaying && error === 'network';
  // The element may still wait for data, and would play by itself once it comes.
  return { state: { ...failed, error, isInterrupted }, effects: [{ type: 'pause' }, notify] };
}

/** Reloads the track at its position with a new URL; after the second timeout in a row it gives up. */
export function retryAfterTimeout(state: PlayerState, gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track || !isWaitingForAudio(state)) return unchanged(state);
  if (state.isReloaded) return giveUp(state, track, 'network', gate);
  const loaded = loadTrack(state, track, true, state.isInterrupted);
  return { ...loaded, state: { ...loaded.state, isReloaded: true } };
}

/** Reloads the track after the machine was suspended for `seconds`, unless the sleep timer has run out by then. */
export function recoverFromSuspend(state: PlayerState, seconds: number): Transition {
  const track = state.activeTrack;
  if (!track || !state.isPlaying) return unchanged(state);
  if (typeof state.sleep === 'number' && state.sleep <= seconds) return pause({ ...state, sleep: null });
  return loadTrack(state, track, true, true);
}

/**
 * Resumes interrupted playing once the network is restored after `seconds`, unless another tab plays, or the gate is
 * closed (PLAY-04).
 */
export function recoverFromOffline(state: PlayerState, seconds: number, gate: Gate): Transition {
  const { activeTrack: track, phase, isInterrupted } = state;
  if (!track || phase !== 'error' || !isInterrupted || seconds > AUTO_RESUME_LIMIT_SECONDS)
    return unchanged(state);
  return getActiveVerdict(state, track, gate) === 'closed'
    ? unchanged(state)
    : loadTrack(state, track, true, true);
}
