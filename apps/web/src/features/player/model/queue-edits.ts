import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex } from './queue.ts';
import { getStartPosition, type PlayerState, type Transition } from './state.ts';
import { addEffects, isLoaded, play, resetPlayer, saveProgress, unchanged } from './transport.ts';

/** Another track takes the place of the active one; it sounds only if it is to, and the gate lets. */
function replaceActiveTrack(
  saveActiveTrack: Transition,
  queue: readonly Track[],
  track: Track,
  isSounding: boolean,
  gate: Gate,
): Transition {
  const waiting: PlayerState = {
    ...saveActiveTrack.state,
    queue,
    activeTrack: track,
    progress: getStartPosition(track),
    phase: 'idle',
    isPlaying: false,
    error: null,
  };
  const silent = addEffects({ state: waiting, effects: saveActiveTrack.effects }, { type: 'unload' });
  if (!isSounding) return silent;
  const sounding = play(waiting, gate);
  return { state: sounding.state, effects: [...silent.effects, ...sounding.effects] };
}

const left = (state: PlayerState): Transition =>
  isLoaded(state) ? saveProgress(state, 'pause') : unchanged(state);

/** Takes a track off the queue. Of the active one the neighbour takes the place, sounding only if it follows and sound was on. */
export function removeTrack(state: PlayerState, id: string, gate: Gate): Transition {
  const index = findTrackIndex(state.queue, id);
  if (index < 0) return unchanged(state);
  const queue = state.queue.filter((track) => track._id !== id);
  if (state.activeTrack?._id !== id) return unchanged({ ...state, queue });
  const saved = left(state);
  const neighbour = queue[index] ?? queue[index - 1];
  if (!neighbour) return { state: resetPlayer(state).state, effects: [...saved.effects, { type: 'unload' }] };
  return replaceActiveTrack(saved, queue, neighbour, state.isPlaying && queue[index] !== undefined, gate);
}

/** Brings a track to an index of the queue; what plays goes on. An unknown track or an index out of range changes nothing. */
export function moveTrack(state: PlayerState, id: string, index: number): Transition {
  const from = findTrackIndex(state.queue, id);
  const track = state.queue[from];
  if (!track || !Number.isInteger(index) || index === from || !state.queue[index]) return unchanged(state);
  return unchanged({ ...state, queue: state.queue.toSpliced(from, 1).toSpliced(index, 0, track) });
}

/** Brings a track right behind the active one. */
export function moveAfterActive(state: PlayerState, id: string): Transition {
  const active = findTrackIndex(state.queue, state.activeTrack?._id);
  const from = findTrackIndex(state.queue, id);
  return from === active ? unchanged(state) : moveTrack(state, id, from < active ? active : active + 1);
}

/**
 * The queue as it was before a change, with the places heard of since. In: the queue, and which track was active then.
 * What plays goes on if it is that one; otherwise that one takes its place.
 */
export function restoreQueue(
  state: PlayerState,
  before: readonly Track[],
  activeId: string,
  gate: Gate,
): Transition {
  const saved = state.activeTrack?._id === activeId ? unchanged(state) : left(state);
  const known = new Map(saved.state.queue.map(({ _id, progress }) => [_id, progress]));
  const queue = before.map((track) => ({ ...track, progress: known.get(track._id) ?? track.progress }));
  const active = queue[findTrackIndex(queue, activeId)];
  if (!active) return unchanged(state);
  if (state.activeTrack?._id === activeId) return unchanged({ ...state, queue, activeTrack: active });
  return replaceActiveTrack(saved, queue, active, state.isPlaying, gate);
}
