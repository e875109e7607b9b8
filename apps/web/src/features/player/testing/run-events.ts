import { gateFor } from '../model/gate.ts';
import { step } from '../model/player-machine.ts';
import { type Effect, emptyPlayer, type PlayerEvent, type PlayerState } from '../model/player-state.ts';
import { aTrack, stories } from './fixtures.ts';

/** Runs events from a state. Out: the last state, and the effects of the last event, also by name. */
export function run(from: PlayerState, events: readonly PlayerEvent[], gate = gateFor(true)) {
  let state = from;
  let effects: readonly Effect[] = [];
  for (const event of events) ({ state, effects } = step(state, event, gate));
  return { state, effects, done: effects.map((effect) => effect.type) };
}

/** A player that plays one of some tracks. */
export const playing = (tracks = [aTrack(1), aTrack(2), aTrack(3)], index = 0): PlayerState =>
  run(emptyPlayer, [
    { type: 'playFrom', source: stories, tracks, index },
    { type: 'ready' },
    { type: 'started' },
  ]).state;

/** A player that has come to a place. */
export const at = (position: number, state = playing()): PlayerState =>
  run(state, [{ type: 'time', position }]).state;

export const tick = (position: number, seconds = 1): PlayerEvent => ({ type: 'tick', position, seconds });
