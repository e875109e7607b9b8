import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex } from './queue.ts';
import { getStartPosition, type PlayerEvents, type PlayerState, type Transition } from './state.ts';
import { addEffects, play, resetPlayer, saveIfPlayed, unchanged } from './transport.ts';

/** Replaces the active track; the new one plays only if `isPlaying` is set and the gate is open. */
function replaceActiveTrack(
  saved: Transition,
  queue: readonly Track[],
  track: Track,
  isPlaying: boolean,
  gate: Gate,
): Transition {
  const idle: PlayerState = {
    ...saved.state,
    queue,
    activeTrack: track,
    progress: getStartPosition(track),
    phase: 'idle',
    isPlaying: false,
    error: null,
    isInterrupted: false,
  };
  const unloaded = addEffects({ state: idle, effects: saved.effects }, { type: 'unload' });
  if (!isPlaying) return unloaded;
  const started = play(idle, gate);
  return { state: started.state, effects: [...unloaded.effects, ...started.effects] };
}

/** Removes a track. The active one is replaced by the track after it, which plays if this one did, or by the one before. */
export function removeTrack(state: PlayerState, id: string, gate: Gate): Transition {
  const index = findTrackIndex(state.queue, id);
  if (index < 0) return unchanged(state);
  const queue = state.queue.filter((track) => track._id !== id);
  if (state.activeTrack?._id !== id) return unchanged({ ...state, queue });
  const saved = saveIfPlayed(state, 'pause');
  const neighbour = queue[index] ?? queue[index - 1];
  if (!neighbour) return { state: resetPlayer(state).state, effects: [...saved.effects, { type: 'unload' }] };
  return replaceActiveTrack(saved, queue, neighbour, state.isPlaying && queue[index] !== undefined, gate);
}

/** Moves a track to an index of the queue. An unknown track or an index out of range changes nothing. */
export function moveTrack(state: PlayerState, id: string, index: number): Transition {
  const from = findTrackIndex(state.queue, id);
  const track = state.queue[from];
  if (!track || !Number.isInteger(index) || index === from || !state.queue[index]) return unchanged(state);
  return unchanged({ ...state, queue: state.queue.toSpliced(from, 1).toSpliced(index, 0, track) });
}

/** Moves a track right after the active one. */
export function moveAfterActive(state: PlayerState, id: string): Transition {
  const active = findTrackIndex(state.queue, state.activeTrack?._id);
  const from = findTrackIndex(state.queue, id);
  return from === active ? unchanged(state) : moveTrack(state, id, from < active ? active : active + 1);
}

/**
 * Adds a track after the active one or at the end, or moves it there. It takes the queue's source, so that playing from
 * that list again does not drop it (PLAY-02). In an empty queue it becomes the active track, which does not play yet.
 */
export function enqueueTrack(state: PlayerState, track: Track, at: 'next' | 'end'): Transition {
  const { queue, activeTrack } = state;
  if (!activeTrack)
    return unchanged({ ...state, queue: [track], activeTrack: track, progress: getStartPosition(track) });
  if (track._id === activeTrack._id) return unchanged(state);
  if (findTrackIndex(queue, track._id) >= 0)
    return at === 'next' ? moveAfterActive(state, track._id) : moveTrack(state, track._id, queue.length - 1);
  const { source, playlist } = activeTrack;
  const index = at === 'next' ? findTrackIndex(queue, activeTrack._id) + 1 : queue.length;
  return unchanged({ ...state, queue: queue.toSpliced(index, 0, { ...track, source, playlist }) });
}

/**
 * Restores the queue from before a change, with progress received since. What plays now plays on if it is in that queue,
 * unless the change removed the active track, which becomes the active one again.
 */
export function restoreQueue(
  state: PlayerState,
  { queue: before, activeId }: PlayerEvents['restoreQueue'],
  gate: Gate,
): Transition {
  const currentId = state.activeTrack?._id;
  const isContinued = findTrackIndex(state.queue, activeId) >= 0 && findTrackIndex(before, currentId) >= 0;
  const saved = isContinued ? unchanged(state) : saveIfPlayed(state, 'pause');
  const progressById = new Map(saved.state.queue.map(({ _id, progress }) => [_id, progress]));
  const queue = before.map((track) => ({
    ...track,
    progress: progressById.get(track._id) ?? track.progress,
  }));
  const active = queue[findTrackIndex(queue, isContinued ? currentId : activeId)];
  if (!active) return unchanged(state);
  if (isContinued) return unchanged({ ...state, queue, activeTrack: active });
  return replaceActiveTrack(saved, queue, active, state.isPlaying, gate);
}

/**
 * Undoes that a track was added to the queue or moved in it. Other changes of the queue since then stay, and so does an
 * added track that plays by now: an undo does not interrupt what plays.
 */
export function undoEnqueue(
  state: PlayerState,
  { id, queue: before }: PlayerEvents['undoEnqueue'],
  gate: Gate,
): Transition {
  const index = findTrackIndex(before, id);
  if (index >= 0) return moveTrack(state, id, index);
  const isAddedPlaying = state.isPlaying && state.activeTrack?._id === id;
  return isAddedPlaying ? unchanged(state) : removeTrack(state, id, gate);
}
