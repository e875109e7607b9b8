import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex } from './queue.ts';
import type { Effect, PlayerError, PlayerState, Transition } from './state.ts';
import { goToTrack, loadTrack, pause, unchanged } from './transport.ts';

/** Nothing of an audio came for so long: no network that works lets a reader wait like that; seconds. */
export const STALL_TIMEOUT_SECONDS = 8;
/** Later than this after the network went nobody expects sound to come back by itself; seconds. */
const expected = 300;
/** A second of playing that took longer than this was slept over; seconds. */
const nap = 60;

/** Whether the machine slept. In: how long it was away and how much it played meanwhile, in seconds: timers may rest while sound goes on. */
export const wasSuspended = (away: number, heard: number): boolean => away > nap && heard < away / 4;

/** Whether something is awaited that may never come. */
export const isWaitingForAudio = ({ phase, isPlaying }: PlayerState): boolean =>
  isPlaying && (phase === 'loading' || phase === 'buffering');

/**
 * No sound comes any more: the reader is told, and play tries again (PLAY-06). What followed by itself and cannot be had, for it
 * was taken out of the catalogue or is broken, is passed over: nobody looks at a locked screen. Once: where the server answers
 * for no track, the whole queue would go by.
 */
export function giveUp(state: PlayerState, track: Track, error: PlayerError, gate: Gate): Transition {
  const silent: PlayerState = { ...state, phase: 'error', isPlaying: false };
  const told: Effect = { type: 'notifyError', track, error };
  const index = findTrackIndex(state.queue, track._id) + 1;
  const next = state.queue[index];
  const isPassed = error === 'unavailable' && state.autoAdvanced && state.isPlaying;
  if (isPassed && next && gate({ source: next.source, index }) !== 'closed') {
    const onward = goToTrack(silent, index, 'ended', gate);
    return { state: onward.state, effects: [told, ...onward.effects] };
  }
  const isInterrupted = state.isPlaying && error === 'network';
  return { state: { ...silent, error, isInterrupted }, effects: [told] };
}

/** Nothing came: the track is loaded once more at its place, by another address; the second time the reader is told. */
export function retryAfterTimeout(state: PlayerState, gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track || !isWaitingForAudio(state)) return unchanged(state);
  if (state.isReloaded) return giveUp(state, track, 'network', gate);
  const begun = loadTrack(state, track, true, state.isInterrupted);
  return { ...begun, state: { ...begun.state, isReloaded: true } };
}

/** The machine slept: connections are gone, and other devices may have gone on. Sound comes back, unless it was to end by now. */
export function recoverFromSuspend(state: PlayerState, seconds: number): Transition {
  const track = state.activeTrack;
  if (!track || !state.isPlaying) return unchanged(state);
  if (typeof state.sleep === 'number' && state.sleep <= seconds) return pause({ ...state, sleep: null });
  return loadTrack(state, track, true, true);
}

/** The network is there again, so many seconds after sound was cut off. Another tab, or a closed gate (PLAY-04), leaves it silent. */
export function recoverFromOffline(state: PlayerState, seconds: number, gate: Gate): Transition {
  const { activeTrack: track, queue, phase, isInterrupted } = state;
  if (!track || phase !== 'error' || !isInterrupted || seconds > expected) return unchanged(state);
  const index = findTrackIndex(queue, track._id);
  return gate({ source: track.source, index }) === 'closed'
    ? unchanged(state)
    : loadTrack(state, track, true, true);
}
