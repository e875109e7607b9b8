import { createGate } from '../model/gate.ts';
import { transition } from '../model/machine.ts';
import { type Effect, emptyPlayer, type PlayerEvent, type PlayerState } from '../model/state.ts';
import { buildTrack, stories } from './fixtures.ts';

/** Runs events from a state. Out: the last state, and the effects of the last event, also by name. */
export function runEvents(from: PlayerState, events: readonly PlayerEvent[], gate = createGate(true)) {
  let state = from;
  let effects: readonly Effect[] = [];
  for (const event of events) ({ state, effects } = transition(state, event, gate));
  return { state, effects, done: effects.map((effect) => effect.type) };
}

/** A player that plays one of some tracks. */
export const buildPlaying = (
  tracks = [buildTrack(1), buildTrack(2), buildTrack(3)],
  index = 0,
): PlayerState =>
  runEvents(emptyPlayer, [
    { type: 'playFrom', source: stories, tracks, index },
    { type: 'ready' },
    { type: 'started' },
  ]).state;

/** A player that has come to a place. */
export const buildPlayingAt = (position: number, state = buildPlaying()): PlayerState =>
  runEvents(state, [{ type: 'time', position }]).state;

export const buildTick = (position: number, seconds = 1): PlayerEvent => ({
  type: 'tick',
  position,
  seconds,
});
