import { createGate } from '../model/gate.ts';
import { transition } from '../model/machine.ts';
import { type Effect, emptyPlayer, type PlayerEvent, type PlayerState } from '../model/state.ts';
import { buildTrack, listSource } from './fixtures.ts';

/** Runs events from a state. Returns the last state and the effects of the last event; `done` has their types. */
export function runEvents(from: PlayerState, events: readonly PlayerEvent[], gate = createGate(true)) {
  let state = from;
  let effects: readonly Effect[] = [];
  for (const event of events) ({ state, effects } = transition(state, event, gate));
  return { state, effects, done: effects.map((effect) => effect.type) };
}

/** Returns a player that plays one of the tracks. */
export const buildPlaying = (
  tracks = [buildTrack(1), buildTrack(2), buildTrack(3)],
  index = 0,
): PlayerState =>
  runEvents(emptyPlayer, [
    { type: 'playFrom', source: listSource, tracks, index },
    { type: 'ready' },
    { type: 'started' },
  ]).state;

/** Returns a playing player at a position, in seconds. */
export const buildPlayingAt = (position: number, state = buildPlaying()): PlayerState =>
  runEvents(state, [{ type: 'time', position }]).state;

export const buildTick = (position: number, seconds = 1): PlayerEvent => ({
  type: 'tick',
  position,
  seconds,
});
