import { limits, type Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import * as practice from './practice.ts';
import * as queue from './queue-edits.ts';
import * as rescue from './recovery.ts';
import { applyRemotePositions, followRemotePosition } from './remote-progress.ts';
import * as sound from './sound.ts';
import {
  clampPosition,
  type ElementEvent,
  type PlayerError,
  type PlayerEvent,
  type PlayerState,
  type SoundEvent,
  type Transition,
} from './state.ts';
import { followOtherTab, yieldToOtherTab } from './tabs.ts';
import * as transport from './transport.ts';
import { unchanged } from './transport.ts';

/** How often the runner ticks, in milliseconds (PLAY-06). */
export const TICK_INTERVAL_MS = limits.player.tick;
/** The place is saved before more than this was heard since; the next tick may come late, and five seconds are all that may be lost (PLAY-05). */
const MAX_UNSAVED_SECONDS = 4.2;

function handleFailure(state: PlayerState, error: PlayerError | 'blocked', gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track || state.phase === 'idle' || state.phase === 'error') return unchanged(state);
  // A browser that wants a click first has the audio: it waits, paused.
  if (error === 'blocked') return unchanged({ ...state, isPlaying: false, phase: 'paused' });
  if (state.urlRefreshed) return rescue.giveUp(state, track, error, gate);
  const begun = transport.loadTrack(state, track, true, state.isInterrupted);
  return { state: { ...begun.state, isPlaying: state.isPlaying }, effects: begun.effects };
}

/** What was heard counts towards the next save; sound that holds forgives a urlRefreshed address. In: seconds since the last tick. */
function handleTick(state: PlayerState, seconds: number): Transition {
  const speed = sound.getPlaybackRate(state);
  const unsavedSeconds = state.unsavedSeconds + seconds * speed;
  const untilNext = (TICK_INTERVAL_MS / 1000) * speed;
  if (unsavedSeconds + untilNext <= MAX_UNSAVED_SECONDS) return unchanged({ ...state, unsavedSeconds });
  return transport.saveProgress({ ...state, urlRefreshed: false, isReloaded: false }, 'tick');
}

/** The element has come to a place. A sentence under practice may be over; a tick brings sleep nearer. */
function handlePosition(state: PlayerState, position: number, seconds: number | null): Transition {
  const track = state.activeTrack;
  if (!track || !['playing', 'buffering', 'paused'].includes(state.phase)) return unchanged(state);
  const here: PlayerState = { ...state, progress: clampPosition(track, position) };
  if (state.phase !== 'playing') return unchanged(here);
  const boundary = practice.getSentenceEnd(state);
  if (boundary !== null && here.progress >= boundary) return practice.finishSentence(here);
  if (seconds === null) return unchanged(here);
  if (typeof state.sleep !== 'number') return handleTick(here, seconds);
  const sleep = state.sleep - seconds;
  return sleep > 0 ? handleTick({ ...here, sleep }, seconds) : transport.pause({ ...here, sleep: null });
}

/** The audio is over. What is practised to the end of the audio is said again. */
function handleEnded(state: PlayerState, gate: Gate): Transition {
  const turned = practice.getSentenceEnd(state) === null ? null : practice.finishSentence(state);
  const isAgain = turned !== null && turned.effects[0]?.type === 'seek';
  return isAgain ? transport.addEffects(turned, { type: 'play' }) : transport.finishTrack(state, gate);
}

/** Sound comes: where the reader goes on is told, so that the server can say that another device has gone on meanwhile. */
function handleStarted(state: PlayerState): Transition {
  if (!state.isPlaying || (state.phase !== 'loading' && state.phase !== 'buffering')) return unchanged(state);
  const playing: PlayerState = {
    ...state,
    ...{ phase: 'playing', isStalled: false, isInterrupted: false, autoAdvanced: false },
  };
  return state.isStalled ? unchanged(playing) : transport.saveProgress(playing, 'play');
}

function handleReady(state: PlayerState): Transition {
  if (state.phase !== 'loading' || state.isPlaying) return unchanged(state);
  return unchanged({ ...state, phase: 'paused' });
}

/** The element ran dry, or had nothing to begin with. */
function handleStalled(state: PlayerState): Transition {
  if (state.phase !== 'playing' && state.phase !== 'buffering') return unchanged(state);
  return unchanged({ ...state, phase: 'buffering', isStalled: true });
}

/** The element stopped by itself: headphones pulled out, a call, another app. */
function handleElementPaused(state: PlayerState): Transition {
  if (state.phase !== 'playing' && state.phase !== 'buffering') return unchanged(state);
  return state.isPlaying ? transport.pause(state) : unchanged(state);
}

function handleElementEvent(state: PlayerState, event: ElementEvent, gate: Gate): Transition {
  switch (event.type) {
    case 'ready':
      return handleReady(state);
    case 'started':
      return handleStarted(state);
    case 'stalled':
      return handleStalled(state);
    case 'elementPaused':
      return handleElementPaused(state);
    case 'ended':
      return handleEnded(state, gate);
    case 'timedOut':
      return rescue.retryAfterTimeout(state, gate);
    case 'systemResumed':
      return rescue.recoverFromSuspend(state, event.seconds);
    case 'failed':
      return handleFailure(state, event.error, gate);
    case 'time':
      return handlePosition(state, event.position, null);
    case 'tick':
      return handlePosition(state, event.position, event.seconds);
  }
}

function handleRefusal(state: PlayerState): Transition {
  const track = state.activeTrack;
  if (!track || state.phase !== 'loading') return unchanged(state);
  return {
    state: { ...state, phase: 'idle', isPlaying: false },
    effects: [{ type: 'unload' }, { type: 'refused', track }],
  };
}

/** A track can be had at another address than before. */
function setTrackUrl(state: PlayerState, id: string, url: string): PlayerState {
  const readdressed = (track: Track) => (track._id === id ? { ...track, url } : track);
  const { queue, activeTrack } = state;
  return { ...state, queue: queue.map(readdressed), activeTrack: activeTrack && readdressed(activeTrack) };
}

const retarget = ({ state, effects }: Transition): Transition => ({
  state: practice.retargetPractice(state),
  effects,
});

function handleSoundEvent(state: PlayerState, event: SoundEvent | ElementEvent, gate: Gate): Transition {
  switch (event.type) {
    case 'seek':
      return retarget(transport.seek(state, event.position));
    case 'skipBy':
      return retarget(transport.seek(state, state.progress + event.seconds));
    case 'stepSentence':
      return retarget(practice.stepSentence(state, event.way));
    case 'togglePractice':
      return unchanged(practice.togglePractice(state, event.drill));
    case 'sentencesLoaded':
      return unchanged(practice.setSentences(state, event.id, event.spans));
    case 'cycleSpeed':
      return unchanged(sound.cycleSpeed(state));
    case 'setSpeed':
      return unchanged(sound.setSpeed(state, event.speed));
    case 'changeSpeed':
      return unchanged(sound.setSpeed(state, state.speed + event.by));
    case 'setVolume':
      return unchanged(sound.setVolume(state, event.volume, false));
    case 'toggleMute':
      return unchanged(sound.setVolume(state, state.volume, !state.muted));
    case 'setSleep':
      return unchanged({ ...state, sleep: event.sleep });
    default:
      return handleElementEvent(state, event, gate);
  }
}

function handleEvent(state: PlayerState, event: PlayerEvent, gate: Gate): Transition {
  switch (event.type) {
    case 'add':
      return transport.addTracks(state, event.source, event.tracks);
    case 'playFrom':
      return transport.playFromSource(state, event, gate);
    case 'play':
      return transport.play(state, gate);
    case 'pause':
      return transport.pause(state);
    case 'toggle':
      return state.isPlaying ? transport.pause(state) : transport.play(state, gate);
    case 'next':
      return transport.nextTrack(state, event.removeFromContinue, gate);
    case 'previous':
      return transport.previousTrack(state, gate);
    case 'skipTo':
      return transport.skipTo(state, event.index, gate);
    case 'remove':
      return queue.removeTrack(state, event.id, gate);
    case 'move':
      return queue.moveTrack(state, event.id, event.index);
    case 'playNext':
      return queue.moveAfterActive(state, event.id);
    case 'restoreQueue':
      return queue.restoreQueue(state, event.queue, event.activeId, gate);
    case 'reset':
      return transport.resetPlayer(state);
    case 'pageHidden':
      return state.isPlaying ? transport.saveProgress(state, 'hide') : unchanged(state);
    case 'remotePositionsReceived':
      return applyRemotePositions(state, event);
    case 'remoteIsAhead':
      return followRemotePosition(state, event);
    case 'urlReceived':
      return unchanged(setTrackUrl(state, event.id, event.url));
    case 'otherTabPlaying':
      return yieldToOtherTab(state, event.word);
    case 'otherTabMoved':
      return retarget(followOtherTab(state, event));
    case 'networkRestored':
      return rescue.recoverFromOffline(state, event.seconds, gate);
    case 'refusedByServer':
      return handleRefusal(state);
    default:
      return handleSoundEvent(state, event, gate);
  }
}

/**
 * The player as a function. In: the state, what happened, and the gate (PLAY-04).
 * Out: the next state and what has to be done, in order. Unknown indexes and events that do not fit the state change nothing.
 */
export function transition(state: PlayerState, event: PlayerEvent, gate: Gate): Transition {
  const next = sound.applySoundSettings(state, handleEvent(state, event, gate));
  const isBack = next.state.isPlayingInOtherTab && next.state.isPlaying;
  return isBack ? { ...next, state: { ...next.state, isPlayingInOtherTab: false } } : next;
}

/** Whether a reader asked for another place in what is heard. */
export const isSeek = ({ type }: PlayerEvent): boolean =>
  type === 'seek' || type === 'skipBy' || type === 'stepSentence';
