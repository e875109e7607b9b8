import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import type { Effect, Fault, PlayerState, Step } from './player-state.ts';
import { indexIn } from './queue.ts';
import { begin, goTo, pause, stay } from './transport.ts';

/** Nothing of an audio came for so long: no network that works lets a reader wait like that; seconds. */
export const patience = 8;
/** Later than this after the network went nobody expects sound to come back by itself; seconds. */
const expected = 300;
/** A second of playing that took longer than this was slept over; seconds. */
const nap = 60;

/** Whether the machine slept. In: how long it was away and how much it played meanwhile, in seconds: timers may rest while sound goes on. */
export const isSlept = (away: number, heard: number): boolean => away > nap && heard < away / 4;

/** Whether something is awaited that may never come. */
export const isAwaiting = ({ phase, isPlaying }: PlayerState): boolean =>
  isPlaying && (phase === 'loading' || phase === 'buffering');

/**
 * No sound comes any more: the reader is told, and play tries again (PLAY-06). What followed by itself and cannot be had, for it
 * was taken out of the catalogue or is broken, is passed over: nobody looks at a locked screen. Once: where the server answers
 * for no track, the whole queue would go by.
 */
export function giveUp(state: PlayerState, track: Track, fault: Fault, gate: Gate): Step {
  const silent: PlayerState = { ...state, phase: 'error', isPlaying: false };
  const told: Effect = { type: 'notifyError', track, fault };
  const index = indexIn(state.queue, track._id) + 1;
  const next = state.queue[index];
  const isPassed = fault === 'unavailable' && state.isFollowing && state.isPlaying;
  if (isPassed && next && gate({ source: next.source, index }) !== 'closed') {
    const onward = goTo(silent, index, 'ended', gate);
    return { state: onward.state, effects: [told, ...onward.effects] };
  }
  const isCutOff = state.isPlaying && fault === 'network';
  return { state: { ...silent, fault, isCutOff }, effects: [told] };
}

/** Nothing came: the track is loaded once more at its place, by another address; the second time the reader is told. */
export function hung(state: PlayerState, gate: Gate): Step {
  const track = state.activeTrack;
  if (!track || !isAwaiting(state)) return stay(state);
  if (state.isReloaded) return giveUp(state, track, 'network', gate);
  const begun = begin(state, track, true, state.isCutOff);
  return { ...begun, state: { ...begun.state, isReloaded: true } };
}

/** The machine slept: connections are gone, and other devices may have gone on. Sound comes back, unless it was to end by now. */
export function woke(state: PlayerState, seconds: number): Step {
  const track = state.activeTrack;
  if (!track || !state.isPlaying) return stay(state);
  if (typeof state.sleep === 'number' && state.sleep <= seconds) return pause({ ...state, sleep: null });
  return begin(state, track, true, true);
}

/** The network is there again, so many seconds after sound was cut off. Another tab, or a closed gate (PLAY-04), leaves it silent. */
export function networkBack(state: PlayerState, seconds: number, gate: Gate): Step {
  const { activeTrack: track, queue, phase, isCutOff } = state;
  if (!track || phase !== 'error' || !isCutOff || seconds > expected) return stay(state);
  const index = indexIn(queue, track._id);
  return gate({ source: track.source, index }) === 'closed' ? stay(state) : begin(state, track, true, true);
}
