import { limits } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import {
  type ElementEvent,
  type Fault,
  type PlayerEvent,
  type PlayerState,
  type Step,
  within,
} from './player-state.ts';
import * as transport from './transport.ts';
import { stay } from './transport.ts';

const ticksBetweenSaves = 5;

function failed(state: PlayerState, fault: Fault | 'blocked'): Step {
  const track = state.activeTrack;
  if (!track || state.phase === 'idle' || state.phase === 'error') return stay(state);
  // A browser that wants a click first has the audio: it waits, paused.
  if (fault === 'blocked') return stay({ ...state, isPlaying: false, phase: 'paused' });
  if (!state.renewed) {
    const begun = transport.begin(state, track, true);
    return { state: { ...begun.state, isPlaying: state.isPlaying }, effects: begun.effects };
  }
  return {
    state: { ...state, phase: 'error', isPlaying: false, fault },
    effects: [{ type: 'notifyError', track, fault }],
  };
}

/** The element has come to a place. A tick also counts towards the next save; sound that holds forgives a renewed address. */
function moved(state: PlayerState, position: number, isTick: boolean): Step {
  const track = state.activeTrack;
  if (!track || !['playing', 'buffering', 'paused'].includes(state.phase)) return stay(state);
  const here: PlayerState = { ...state, progress: within(track, position) };
  if (!isTick || state.phase !== 'playing') return stay(here);
  if (state.unsavedTicks + 1 < ticksBetweenSaves)
    return stay({ ...here, unsavedTicks: state.unsavedTicks + 1 });
  return transport.save({ ...here, renewed: false }, 'tick');
}

function started(state: PlayerState): Step {
  if (!state.isPlaying || (state.phase !== 'loading' && state.phase !== 'buffering')) return stay(state);
  const playing: PlayerState = { ...state, phase: 'playing' };
  return state.phase === 'loading' ? transport.save(playing, 'play') : stay(playing);
}

function ready(state: PlayerState): Step {
  if (state.phase !== 'loading' || state.isPlaying) return stay(state);
  return stay({ ...state, phase: 'paused' });
}

/** The element stopped by itself: headphones pulled out, a call, another app. */
function halted(state: PlayerState): Step {
  if (state.phase !== 'playing' && state.phase !== 'buffering') return stay(state);
  return state.isPlaying ? transport.pause(state) : stay(state);
}

function onElement(state: PlayerState, event: ElementEvent, gate: Gate): Step {
  switch (event.type) {
    case 'ready':
      return ready(state);
    case 'started':
      return started(state);
    case 'stalled':
      return stay(state.phase === 'playing' ? { ...state, phase: 'buffering' } : state);
    case 'halted':
      return halted(state);
    case 'ended':
      return transport.ended(state, gate);
    case 'failed':
      return failed(state, event.fault);
    case 'time':
      return moved(state, event.position, false);
    case 'tick':
      return moved(state, event.position, true);
  }
}

/** Places heard of from the server: the queue takes them, the active track only while its audio is not loaded. */
function placesLearned(state: PlayerState, places: Readonly<Record<string, number>>): Step {
  const queue = state.queue.map((track) => {
    const progress = places[track._id];
    return progress === undefined ? track : { ...track, progress };
  });
  const { activeTrack: track } = state;
  const place = track ? places[track._id] : undefined;
  if (!track || place === undefined || state.phase !== 'idle') return stay({ ...state, queue });
  return stay({ ...state, queue, progress: within(track, place) });
}

function refusedByServer(state: PlayerState): Step {
  const track = state.activeTrack;
  if (!track || state.phase !== 'loading') return stay(state);
  return {
    state: { ...state, phase: 'idle', isPlaying: false },
    effects: [{ type: 'unload' }, { type: 'refused', track }],
  };
}

/**
 * The player as a function. In: the state, what happened, and the gate (PLAY-04).
 * Out: the next state and what has to be done, in order. Unknown indexes and events that do not fit the state change nothing.
 */
export function step(state: PlayerState, event: PlayerEvent, gate: Gate): Step {
  switch (event.type) {
    case 'add':
      return transport.add(state, event.source, event.tracks);
    case 'playFrom':
      return transport.playFrom(state, event, gate);
    case 'play':
      return transport.play(state, gate);
    case 'pause':
      return transport.pause(state);
    case 'toggle':
      return state.isPlaying ? transport.pause(state) : transport.play(state, gate);
    case 'next':
      return transport.next(state, event.removeFromContinue, gate);
    case 'previous':
      return transport.previous(state, gate);
    case 'skipTo':
      return transport.skipTo(state, event.index, gate);
    case 'remove':
      return transport.remove(state, event.id, gate);
    case 'reset':
      return transport.reset(state);
    case 'seek':
      return transport.seek(state, event.position);
    case 'skipBy':
      return transport.seek(state, state.progress + event.seconds);
    case 'cycleSpeed':
      return transport.cycleSpeed(state);
    case 'setVolume':
      return transport.setVolume(state, event.volume, false);
    case 'toggleMute':
      return transport.setVolume(state, state.volume, !state.muted);
    case 'hide':
      return state.isPlaying ? transport.save(state, 'hide') : stay(state);
    case 'placesLearned':
      return placesLearned(state, event.places);
    case 'refusedByServer':
      return refusedByServer(state);
    default:
      return onElement(state, event, gate);
  }
}

/** How often the runner ticks, in milliseconds (PLAY-06). */
export const tickEvery = limits.player.tick;
