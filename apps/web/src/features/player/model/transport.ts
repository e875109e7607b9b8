import { limits, type ProgressCause, type Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import {
  type Effect,
  emptyPlayer,
  type PlayerState,
  type Source,
  type Step,
  startOf,
  within,
} from './player-state.ts';
import { indexIn, merged, withProgress } from './queue.ts';

export const stay = (state: PlayerState): Step => ({ state, effects: [] });
const then = ({ state, effects }: Step, ...more: Effect[]): Step => ({
  state,
  effects: [...effects, ...more],
});

/** Saves the place of the active track, if it has one. */
export function save(state: PlayerState, cause: ProgressCause): Step {
  const { activeTrack: track, progress } = state;
  if (!track) return stay(state);
  const left = cause === 'ended' ? 0 : progress;
  return {
    state: { ...state, unsavedTicks: 0, queue: withProgress(state.queue, track._id, left) },
    effects: [{ type: 'saveProgress', track, position: progress, cause }],
  };
}

const activeIndex = (state: PlayerState) => indexIn(state.queue, state.activeTrack?._id);
const isLoaded = ({ phase }: PlayerState) => phase !== 'idle' && phase !== 'error';

/** Stops the sound and keeps the track. */
const silenced = (state: PlayerState): PlayerState => ({
  ...state,
  isPlaying: false,
  phase: isLoaded(state) && state.phase !== 'loading' ? 'paused' : state.phase,
});

/** The gate is closed: the reader is told, and what sounds goes on sounding. */
const refused = (state: PlayerState, track: Track): Step => ({
  state,
  effects: [{ type: 'refused', track }],
});

/** Begins the active track's audio at the state's progress; `fresh` asks for a new address first. */
export function begin(state: PlayerState, track: Track, fresh = track.url === null): Step {
  return {
    state: { ...state, phase: 'loading', isPlaying: true, fault: null, renewed: fresh },
    effects: [{ type: 'load', track, position: state.progress, fresh }],
  };
}

/** Leaves the active track for another of the queue and plays that, if the gate lets (PLAY-04). */
function goTo(state: PlayerState, index: number, cause: ProgressCause, gate: Gate): Step {
  const track = state.queue[index];
  if (!track) return stay(state);
  if (gate({ source: track.source, index }) === 'closed') {
    return cause === 'ended'
      ? then(save(silenced(state), cause), { type: 'refused', track })
      : refused(state, track);
  }
  const left = isLoaded(state) || cause === 'skip' ? save(state, cause) : stay(state);
  const begun = begin({ ...left.state, activeTrack: track, progress: startOf(track) }, track);
  return { state: begun.state, effects: [...left.effects, ...begun.effects] };
}

/** PLAY-02: the first add sets the active track; nothing sounds yet. */
export function add(state: PlayerState, source: Source, tracks: readonly Track[]): Step {
  if (tracks.length === 0) return stay(state);
  const queue = merged(state.queue, source, tracks);
  const active = queue[indexIn(queue, state.activeTrack?._id)];
  if (active) return stay({ ...state, queue, activeTrack: active });
  const first = queue[0];
  if (!first) return stay(state);
  const left = isLoaded(state) ? then(save(state, 'pause'), { type: 'unload' }) : stay(state);
  const settings = { volume: state.volume, muted: state.muted, speed: state.speed };
  return {
    state: { ...emptyPlayer, ...settings, queue, activeTrack: first, progress: startOf(first) },
    effects: left.effects,
  };
}

/** Plays a track of a source: its list becomes the queue, or only that track where it plays alone (PLAY-04). */
export function playFrom(
  state: PlayerState,
  { source, tracks, index }: { source: Source; tracks: readonly Track[]; index: number },
  gate: Gate,
): Step {
  const wanted = tracks[index];
  if (!wanted) return stay(state);
  const verdict = gate({ source: source.name, index });
  if (verdict === 'closed') return refused(state, wanted);
  const isActive = state.activeTrack?._id === wanted._id;
  const left = !isActive && isLoaded(state) ? save(state, 'pause') : stay(state);
  const queue = verdict === 'alone' ? merged([], source, [wanted]) : merged(left.state.queue, source, tracks);
  const track = queue[indexIn(queue, wanted._id)];
  if (!track) return stay(state);
  const there: PlayerState = { ...left.state, queue, activeTrack: track };
  if (isActive) return resume(there);
  const begun = begin({ ...there, progress: startOf(track) }, track);
  return { state: begun.state, effects: [...left.effects, ...begun.effects] };
}

/** Goes on with the active track: from the element, or by loading it at the saved place (PLAY-05). */
function resume(state: PlayerState): Step {
  const track = state.activeTrack;
  if (!track || (state.isPlaying && isLoaded(state))) return stay(state);
  if (state.phase === 'error') return begin(state, track, true);
  if (state.phase === 'idle') return begin(state, track);
  const phase = state.phase === 'loading' ? 'loading' : 'buffering';
  const going: PlayerState = { ...state, isPlaying: true, phase };
  if (state.progress < track.duration) return { state: going, effects: [{ type: 'play' }] };
  return { state: { ...going, progress: 0 }, effects: [{ type: 'seek', position: 0 }, { type: 'play' }] };
}

/** Play, by way of the gate. */
export function play(state: PlayerState, gate: Gate): Step {
  const track = state.activeTrack;
  if (!track) return stay(state);
  const verdict = gate({ source: track.source, index: activeIndex(state) });
  return verdict === 'closed' ? refused(state, track) : resume(state);
}

/** PLAY-05: pausing saves the place. */
export function pause(state: PlayerState): Step {
  if (!state.isPlaying) return stay(state);
  const { state: saved, effects } = save(silenced(state), 'pause');
  return { state: saved, effects: [{ type: 'pause' }, ...effects] };
}

/** PLAY-03, PLAY-05: the next track; at the last it stops. With the flag the one left is taken out of continue listening. */
export function next(state: PlayerState, removeFromContinue: boolean, gate: Gate): Step {
  const index = activeIndex(state) + 1;
  const cause = removeFromContinue ? 'skip' : 'pause';
  if (index < state.queue.length) return goTo(state, index, cause, gate);
  const stopped = silenced(state);
  const left = removeFromContinue || state.isPlaying ? save(stopped, cause) : stay(stopped);
  return then(left, { type: 'pause' });
}

/** PLAY-03: the track before; at the first it stays. */
export function previous(state: PlayerState, gate: Gate): Step {
  const index = activeIndex(state) - 1;
  return index >= 0 ? goTo(state, index, 'pause', gate) : stay(state);
}

/** PLAY-03: to an index of the queue, only if in range. */
export function skipTo(state: PlayerState, index: number, gate: Gate): Step {
  if (!Number.isInteger(index) || !state.queue[index]) return stay(state);
  return index === activeIndex(state) ? play(state, gate) : goTo(state, index, 'pause', gate);
}

/** The audio is over: what follows plays if the gate lets, after the last it stops (PLAY-03, PLAY-06). */
export function ended(state: PlayerState, gate: Gate): Step {
  const track = state.activeTrack;
  if (!track || !isLoaded(state)) return stay(state);
  const over: PlayerState = { ...state, progress: track.duration, phase: 'paused' };
  const index = activeIndex(state) + 1;
  if (index < state.queue.length) return goTo(over, index, 'ended', gate);
  return save(silenced(over), 'ended');
}

/** Takes a track off the queue. Of the active one the neighbour takes the place, sounding only if it follows and sound was on. */
export function remove(state: PlayerState, id: string, gate: Gate): Step {
  const index = indexIn(state.queue, id);
  if (index < 0) return stay(state);
  const queue = state.queue.filter((track) => track._id !== id);
  if (state.activeTrack?._id !== id) return stay({ ...state, queue });
  const left = isLoaded(state) ? save(state, 'pause') : stay(state);
  const neighbour = queue[index] ?? queue[index - 1];
  if (!neighbour) return { state: reset(state).state, effects: [...left.effects, { type: 'unload' }] };
  const moved: PlayerState = {
    ...left.state,
    queue,
    activeTrack: neighbour,
    progress: startOf(neighbour),
    phase: 'idle',
    isPlaying: false,
    fault: null,
  };
  const silent = then({ state: moved, effects: left.effects }, { type: 'unload' });
  if (!state.isPlaying || !queue[index]) return silent;
  const sounding = play(moved, gate);
  return { state: sounding.state, effects: [...silent.effects, ...sounding.effects] };
}

/** PLAY-02: an empty queue; volume and speed stay. Saves nothing: whoever resets to stop listening pauses first. */
export function reset({ volume, muted, speed }: PlayerState): Step {
  return { state: { ...emptyPlayer, volume, muted, speed }, effects: [{ type: 'unload' }] };
}

/** PLAY-06: sets the current time, and saves it. */
export function seek(state: PlayerState, position: number): Step {
  const track = state.activeTrack;
  if (!track) return stay(state);
  const progress = within(track, position);
  const saved = save({ ...state, progress }, 'seek');
  return isLoaded(state) ? then(saved, { type: 'seek', position: progress }) : saved;
}

/** PLAY-06: 1, 1.5, 2, then 1. */
export function cycleSpeed(state: PlayerState): Step {
  const { speeds } = limits.player;
  const speed = speeds[(speeds.indexOf(state.speed) + 1) % speeds.length] ?? speeds[0];
  return { state: { ...state, speed }, effects: [{ type: 'setSpeed', speed }] };
}

/** Volume, 0 to 1; the element gets none while muted. */
export function setVolume(state: PlayerState, volume: number, muted: boolean): Step {
  const sound = Math.min(Math.max(Number.isFinite(volume) ? volume : 1, 0.01), 1);
  return {
    state: { ...state, volume: sound, muted },
    effects: [{ type: 'setVolume', volume: muted ? 0 : sound }],
  };
}
