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
export const plus = ({ state, effects }: Step, ...more: Effect[]): Step => ({
  state,
  effects: [...effects, ...more],
});

/** Saves the place of the active track, if it has one. */
export function save(state: PlayerState, cause: ProgressCause): Step {
  const { activeTrack: track, progress } = state;
  if (!track) return stay(state);
  const left = cause === 'ended' ? 0 : progress;
  return {
    state: { ...state, unsaved: 0, queue: withProgress(state.queue, track._id, left) },
    effects: [{ type: 'saveProgress', track, position: progress, cause }],
  };
}

const activeIndex = (state: PlayerState) => indexIn(state.queue, state.activeTrack?._id);
export const isLoaded = ({ phase }: PlayerState) => phase !== 'idle' && phase !== 'error';

/** Stops the sound and keeps the track. */
const silenced = (state: PlayerState): PlayerState => ({
  ...state,
  isPlaying: false,
  isCutOff: false,
  phase: isLoaded(state) && state.phase !== 'loading' ? 'paused' : state.phase,
});

/** The gate is closed: the reader is told, and what sounds goes on sounding. */
const refused = (state: PlayerState, track: Track): Step => ({
  state,
  effects: [{ type: 'refused', track }],
});

/**
 * Begins the active track's audio at the state's progress; `fresh` asks for a new address first, `isCutOff` for what other
 * devices have done before that.
 */
export function begin(state: PlayerState, track: Track, fresh = track.url === null, isCutOff = false): Step {
  const begun = { isPlaying: true, isDry: false, fault: null, renewed: fresh, isReloaded: false, isCutOff };
  return {
    state: { ...state, ...begun, isSought: false, phase: 'loading' },
    effects: [{ type: 'load', track, position: state.progress, fresh, isCutOff }],
  };
}

/** Leaves the active track for another of the queue and plays that, if the gate lets (PLAY-04). */
export function goTo(state: PlayerState, index: number, cause: ProgressCause, gate: Gate): Step {
  const track = state.queue[index];
  if (!track) return stay(state);
  if (gate({ source: track.source, index }) === 'closed') {
    return cause === 'ended'
      ? plus(save(silenced(state), cause), { type: 'refused', track })
      : refused(state, track);
  }
  const left = isLoaded(state) || cause === 'skip' ? save(state, cause) : stay(state);
  const there = {
    activeTrack: track,
    progress: startOf(track),
    isFollowing: cause === 'ended' && !state.isFollowing,
  };
  const begun = begin({ ...left.state, ...there }, track);
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
  const left = isLoaded(state) ? plus(save(state, 'pause'), { type: 'unload' }) : stay(state);
  return {
    state: { ...reset(state).state, queue, activeTrack: first, progress: startOf(first) },
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
  const there: PlayerState = { ...left.state, queue, activeTrack: track, isFollowing: false };
  if (isActive) return resume(there);
  const begun = begin({ ...there, progress: startOf(track) }, track);
  return { state: begun.state, effects: [...left.effects, ...begun.effects] };
}

/** Goes on with the active track: from the element, or by loading it at the saved place (PLAY-05). */
function resume(state: PlayerState): Step {
  const track = state.activeTrack;
  if (!track || (state.isPlaying && isLoaded(state))) return stay(state);
  if (state.phase === 'error') return begin(state, track, true);
  // What ran dry and was paused may wait for a network that is gone, as after a night's sleep of the machine.
  if (state.phase === 'idle' || state.isDry) return begin(state, track);
  const phase = state.phase === 'loading' ? 'loading' : 'buffering';
  const going: PlayerState = { ...state, isPlaying: true, isSought: false, phase };
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

/** PLAY-05: pausing saves the place. What was cut off stays so. */
export function pause(state: PlayerState): Step {
  if (!state.isPlaying) return stay(state.isCutOff ? { ...state, isCutOff: false } : state);
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
  return plus(left, { type: 'pause' });
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

/** Sleep comes with the end of a track: what follows waits, silent. */
function sleepAfter(over: PlayerState, index: number): Step {
  const left = save({ ...silenced(over), sleep: null }, 'ended');
  const following = over.queue[index];
  if (!following) return left;
  return {
    state: { ...left.state, activeTrack: following, progress: startOf(following), phase: 'idle' },
    effects: [...left.effects, { type: 'unload' }],
  };
}

/** The audio is over: what follows plays if the gate lets, after the last it stops (PLAY-03, PLAY-06). */
export function ended(state: PlayerState, gate: Gate): Step {
  const track = state.activeTrack;
  if (!track || !isLoaded(state)) return stay(state);
  const over: PlayerState = { ...state, progress: track.duration, phase: 'paused' };
  const index = activeIndex(state) + 1;
  if (state.sleep === 'track') return sleepAfter(over, index);
  if (index < state.queue.length) return goTo(over, index, 'ended', gate);
  return save(silenced(over), 'ended');
}

/** PLAY-02: an empty queue; volume, speeds, sleep and the drill stay. Saves nothing: whoever resets to stop listening pauses first. */
export function reset({ volume, muted, speed, usualSpeed, speeds, sleep, practice }: PlayerState): Step {
  const kept = { volume, muted, speed, usualSpeed, speeds, sleep, practice };
  return { state: { ...emptyPlayer, ...kept }, effects: [{ type: 'unload' }] };
}

const { start, far } = limits.player.place;

/**
 * PLAY-06: sets the current time, and saves it. A jump from far back to the start while it plays is saved only by playing
 * on from there, and the reader is told the way back.
 */
export function seek(state: PlayerState, position: number): Step {
  const track = state.activeTrack;
  if (!track) return stay(state);
  const progress = within(track, position);
  const isLeft = progress < start && state.progress > far;
  const there: PlayerState = { ...state, progress, isSought: true };
  const sought = isLeft && state.isPlaying ? stay({ ...there, unsaved: 0 }) : save(there, 'seek');
  const told: Effect[] = isLeft
    ? [{ type: 'placeLeft', track, from: state.progress, to: progress, why: 'start' }]
    : [];
  return plus(sought, ...(isLoaded(state) ? [{ type: 'seek', position: progress } as const] : []), ...told);
}
