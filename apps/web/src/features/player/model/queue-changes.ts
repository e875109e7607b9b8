import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { type PlayerState, type Step, startOf } from './player-state.ts';
import { indexIn } from './queue.ts';
import { isLoaded, play, plus, reset, save, stay } from './transport.ts';

/** Another track takes the place of the active one; it sounds only if it is to, and the gate lets. */
function handOver(left: Step, queue: readonly Track[], track: Track, isSounding: boolean, gate: Gate): Step {
  const waiting: PlayerState = {
    ...left.state,
    queue,
    activeTrack: track,
    progress: startOf(track),
    phase: 'idle',
    isPlaying: false,
    fault: null,
  };
  const silent = plus({ state: waiting, effects: left.effects }, { type: 'unload' });
  if (!isSounding) return silent;
  const sounding = play(waiting, gate);
  return { state: sounding.state, effects: [...silent.effects, ...sounding.effects] };
}

const left = (state: PlayerState): Step => (isLoaded(state) ? save(state, 'pause') : stay(state));

/** Takes a track off the queue. Of the active one the neighbour takes the place, sounding only if it follows and sound was on. */
export function remove(state: PlayerState, id: string, gate: Gate): Step {
  const index = indexIn(state.queue, id);
  if (index < 0) return stay(state);
  const queue = state.queue.filter((track) => track._id !== id);
  if (state.activeTrack?._id !== id) return stay({ ...state, queue });
  const saved = left(state);
  const neighbour = queue[index] ?? queue[index - 1];
  if (!neighbour) return { state: reset(state).state, effects: [...saved.effects, { type: 'unload' }] };
  return handOver(saved, queue, neighbour, state.isPlaying && queue[index] !== undefined, gate);
}

/** Brings a track to an index of the queue; what plays goes on. An unknown track or an index out of range changes nothing. */
export function move(state: PlayerState, id: string, index: number): Step {
  const from = indexIn(state.queue, id);
  const track = state.queue[from];
  if (!track || !Number.isInteger(index) || index === from || !state.queue[index]) return stay(state);
  return stay({ ...state, queue: state.queue.toSpliced(from, 1).toSpliced(index, 0, track) });
}

/** Brings a track right behind the active one. */
export function playNext(state: PlayerState, id: string): Step {
  const active = indexIn(state.queue, state.activeTrack?._id);
  const from = indexIn(state.queue, id);
  return from === active ? stay(state) : move(state, id, from < active ? active : active + 1);
}

/**
 * The queue as it was before a change, with the places heard of since. In: the queue, and which track was active then.
 * What plays goes on if it is that one; otherwise that one takes its place.
 */
export function restore(state: PlayerState, before: readonly Track[], activeId: string, gate: Gate): Step {
  const saved = state.activeTrack?._id === activeId ? stay(state) : left(state);
  const known = new Map(saved.state.queue.map(({ _id, progress }) => [_id, progress]));
  const queue = before.map((track) => ({ ...track, progress: known.get(track._id) ?? track.progress }));
  const active = queue[indexIn(queue, activeId)];
  if (!active) return stay(state);
  if (state.activeTrack?._id === activeId) return stay({ ...state, queue, activeTrack: active });
  return handOver(saved, queue, active, state.isPlaying, gate);
}
