import { limits, type Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { goneOn, placesLearned } from './places.ts';
import {
  type ElementEvent,
  type Fault,
  type PlayerEvent,
  type PlayerState,
  type SoundEvent,
  type Step,
  within,
} from './player-state.ts';
import * as practice from './practice.ts';
import * as queue from './queue-changes.ts';
import * as rescue from './rescue.ts';
import * as sound from './sound.ts';
import { heardElsewhere, movedElsewhere } from './tabs.ts';
import * as transport from './transport.ts';
import { stay } from './transport.ts';

/** How often the runner ticks, in milliseconds (PLAY-06). */
export const tickEvery = limits.player.tick;
/** The place is saved before more than this was heard since; the next tick may come late, and five seconds are all that may be lost (PLAY-05). */
const mostUnsaved = 4.2;

function failed(state: PlayerState, fault: Fault | 'blocked', gate: Gate): Step {
  const track = state.activeTrack;
  if (!track || state.phase === 'idle' || state.phase === 'error') return stay(state);
  // A browser that wants a click first has the audio: it waits, paused.
  if (fault === 'blocked') return stay({ ...state, isPlaying: false, phase: 'paused' });
  if (state.renewed) return rescue.giveUp(state, track, fault, gate);
  const begun = transport.begin(state, track, true, state.isCutOff);
  return { state: { ...begun.state, isPlaying: state.isPlaying }, effects: begun.effects };
}

/** What was heard counts towards the next save; sound that holds forgives a renewed address. In: seconds since the last tick. */
function ticked(state: PlayerState, seconds: number): Step {
  const speed = sound.speedOf(state);
  const unsaved = state.unsaved + seconds * speed;
  const untilNext = (tickEvery / 1000) * speed;
  if (unsaved + untilNext <= mostUnsaved) return stay({ ...state, unsaved });
  return transport.save({ ...state, renewed: false, isReloaded: false }, 'tick');
}

/** The element has come to a place. A sentence under practice may be over; a tick brings sleep nearer. */
function moved(state: PlayerState, position: number, seconds: number | null): Step {
  const track = state.activeTrack;
  if (!track || !['playing', 'buffering', 'paused'].includes(state.phase)) return stay(state);
  const here: PlayerState = { ...state, progress: within(track, position) };
  if (state.phase !== 'playing') return stay(here);
  const boundary = practice.boundaryOf(state);
  if (boundary !== null && here.progress >= boundary) return practice.turn(here);
  if (seconds === null) return stay(here);
  if (typeof state.sleep !== 'number') return ticked(here, seconds);
  const sleep = state.sleep - seconds;
  return sleep > 0 ? ticked({ ...here, sleep }, seconds) : transport.pause({ ...here, sleep: null });
}

/** The audio is over. What is practised to the end of the audio is said again. */
function ended(state: PlayerState, gate: Gate): Step {
  const turned = practice.boundaryOf(state) === null ? null : practice.turn(state);
  const isAgain = turned !== null && turned.effects[0]?.type === 'seek';
  return isAgain ? transport.plus(turned, { type: 'play' }) : transport.ended(state, gate);
}

/** Sound comes: where the reader goes on is told, so that the server can say that another device has gone on meanwhile. */
function started(state: PlayerState): Step {
  if (!state.isPlaying || (state.phase !== 'loading' && state.phase !== 'buffering')) return stay(state);
  const playing: PlayerState = {
    ...state,
    ...{ phase: 'playing', isDry: false, isCutOff: false, isFollowing: false },
  };
  return state.isDry ? stay(playing) : transport.save(playing, 'play');
}

function ready(state: PlayerState): Step {
  if (state.phase !== 'loading' || state.isPlaying) return stay(state);
  return stay({ ...state, phase: 'paused' });
}

/** The element ran dry, or had nothing to begin with. */
function stalled(state: PlayerState): Step {
  if (state.phase !== 'playing' && state.phase !== 'buffering') return stay(state);
  return stay({ ...state, phase: 'buffering', isDry: true });
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
      return stalled(state);
    case 'halted':
      return halted(state);
    case 'ended':
      return ended(state, gate);
    case 'hung':
      return rescue.hung(state, gate);
    case 'woke':
      return rescue.woke(state, event.seconds);
    case 'failed':
      return failed(state, event.fault, gate);
    case 'time':
      return moved(state, event.position, null);
    case 'tick':
      return moved(state, event.position, event.seconds);
  }
}

function refusedByServer(state: PlayerState): Step {
  const track = state.activeTrack;
  if (!track || state.phase !== 'loading') return stay(state);
  return {
    state: { ...state, phase: 'idle', isPlaying: false },
    effects: [{ type: 'unload' }, { type: 'refused', track }],
  };
}

/** A track can be had at another address than before. */
function addressLearned(state: PlayerState, id: string, url: string): PlayerState {
  const readdressed = (track: Track) => (track._id === id ? { ...track, url } : track);
  const { queue, activeTrack } = state;
  return { ...state, queue: queue.map(readdressed), activeTrack: activeTrack && readdressed(activeTrack) };
}

const aimed = ({ state, effects }: Step): Step => ({ state: practice.aim(state), effects });

function onSound(state: PlayerState, event: SoundEvent | ElementEvent, gate: Gate): Step {
  switch (event.type) {
    case 'seek':
      return aimed(transport.seek(state, event.position));
    case 'skipBy':
      return aimed(transport.seek(state, state.progress + event.seconds));
    case 'stepSentence':
      return aimed(practice.stepSentence(state, event.way));
    case 'practise':
      return stay(practice.practise(state, event.drill));
    case 'textLearned':
      return stay(practice.learnText(state, event.id, event.spans));
    case 'cycleSpeed':
      return stay(sound.cycleSpeed(state));
    case 'setSpeed':
      return stay(sound.setSpeed(state, event.speed));
    case 'changeSpeed':
      return stay(sound.setSpeed(state, state.speed + event.by));
    case 'setVolume':
      return stay(sound.setVolume(state, event.volume, false));
    case 'toggleMute':
      return stay(sound.setVolume(state, state.volume, !state.muted));
    case 'setSleep':
      return stay({ ...state, sleep: event.sleep });
    default:
      return onElement(state, event, gate);
  }
}

function transition(state: PlayerState, event: PlayerEvent, gate: Gate): Step {
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
      return queue.remove(state, event.id, gate);
    case 'move':
      return queue.move(state, event.id, event.index);
    case 'playNext':
      return queue.playNext(state, event.id);
    case 'restoreQueue':
      return queue.restore(state, event.queue, event.activeId, gate);
    case 'reset':
      return transport.reset(state);
    case 'hide':
      return state.isPlaying ? transport.save(state, 'hide') : stay(state);
    case 'placesLearned':
      return placesLearned(state, event);
    case 'goneOn':
      return goneOn(state, event);
    case 'addressLearned':
      return stay(addressLearned(state, event.id, event.url));
    case 'heardElsewhere':
      return heardElsewhere(state, event.word);
    case 'movedElsewhere':
      return aimed(movedElsewhere(state, event));
    case 'networkBack':
      return rescue.networkBack(state, event.seconds, gate);
    case 'refusedByServer':
      return refusedByServer(state);
    default:
      return onSound(state, event, gate);
  }
}

/**
 * The player as a function. In: the state, what happened, and the gate (PLAY-04).
 * Out: the next state and what has to be done, in order. Unknown indexes and events that do not fit the state change nothing.
 */
export function step(state: PlayerState, event: PlayerEvent, gate: Gate): Step {
  const next = sound.settled(state, transition(state, event, gate));
  const isBack = next.state.isElsewhere && next.state.isPlaying;
  return isBack ? { ...next, state: { ...next.state, isElsewhere: false } } : next;
}

/** Whether a reader asked for another place in what is heard. */
export const isSeek = ({ type }: PlayerEvent): boolean =>
  type === 'seek' || type === 'skipBy' || type === 'stepSentence';
