import type { Gate } from './gate.ts';
import * as practice from './practice.ts';
import { setTrackUrl } from './queue.ts';
import * as queue from './queue-edits.ts';
import * as recovery from './recovery.ts';
import * as remote from './remote-progress.ts';
import * as sound from './sound.ts';
import {
  type ElementEvent,
  type PlayerError,
  type PlayerEvent,
  type PlayerState,
  type SoundEvent,
  TICK_INTERVAL_MS,
  type Transition,
} from './state.ts';
import * as transport from './transport.ts';
import { unchanged } from './transport.ts';

/** Progress is saved before this much sound is unsaved; a late tick stays below the five seconds of PLAY-05. */
const MAX_UNSAVED_SECONDS = 4.2;

function handleFailure(state: PlayerState, error: PlayerError | 'blocked', gate: Gate): Transition {
  const track = state.activeTrack;
  if (!track || state.phase === 'idle' || state.phase === 'error') return unchanged(state);
  // A browser that requires a click before it plays has loaded the audio.
  if (error === 'blocked')
    return unchanged({ ...state, isPlaying: false, isInterrupted: false, phase: 'paused' });
  if (state.urlRefreshed) return recovery.giveUp(state, track, error, gate);
  const loaded = transport.loadTrack(state, track, true, state.isInterrupted);
  return { state: { ...loaded.state, isPlaying: state.isPlaying }, effects: loaded.effects };
}

/** Counts the seconds played since the last tick towards the next save, which also resets the error counters. */
function handleTick(state: PlayerState, seconds: number): Transition {
  const speed = sound.getPlaybackRate(state);
  const unsavedSeconds = state.unsavedSeconds + seconds * speed;
  const untilNextTick = (TICK_INTERVAL_MS / 1000) * speed;
  if (unsavedSeconds + untilNextTick <= MAX_UNSAVED_SECONDS) return unchanged({ ...state, unsavedSeconds });
  return transport.saveProgress({ ...state, urlRefreshed: false, isReloaded: false }, 'tick');
}

/**
 * Handles the element's position: the end of a practised sentence, the sleep timer and saving.
 * @param seconds - the seconds played since the last tick; null when the position is not from a tick
 */
function handlePosition(state: PlayerState, position: number, seconds: number | null): Transition {
  const track = state.activeTrack;
  if (!track || !['playing', 'buffering', 'paused'].includes(state.phase)) return unchanged(state);
  const moved = sound.moveTo(state, track, position);
  if (state.phase !== 'playing') return unchanged(moved);
  const sentenceEnd = practice.getSentenceEnd(state);
  if (sentenceEnd !== null && moved.progress >= sentenceEnd) return practice.finishSentence(moved);
  if (seconds === null) return unchanged(moved);
  if (typeof state.sleep !== 'number') return handleTick(moved, seconds);
  const sleep = state.sleep - seconds;
  return sleep > 0 ? handleTick({ ...moved, sleep }, seconds) : transport.pause({ ...moved, sleep: null });
}

function handleEnded(before: PlayerState, gate: Gate): Transition {
  const track = before.activeTrack;
  const isSounding = track && before.phase === 'playing';
  const state = isSounding ? sound.moveTo(before, track, track.duration) : before;
  const finished = practice.getSentenceEnd(state) === null ? null : practice.finishSentence(state);
  const isRepeated = finished !== null && finished.effects[0]?.type === 'seek';
  return isRepeated ? transport.addEffects(finished, { type: 'play' }) : transport.finishTrack(state, gate);
}

/**
 * Saves where playing starts, so that the server can report another device that is further ahead. Paused audio starts by
 * itself when the system resumes what it has interrupted, for a phone call for instance.
 */
function handleStarted(state: PlayerState): Transition {
  if (state.phase !== 'paused' && !recovery.isWaitingForAudio(state)) return unchanged(state);
  const playing: PlayerState = {
    ...state,
    phase: 'playing',
    isPlaying: true,
    isStalled: false,
    isInterrupted: false,
    autoAdvanced: false,
    hasPlayed: true,
  };
  return state.isStalled ? unchanged(playing) : transport.saveProgress(playing, 'play');
}

function handleReady(state: PlayerState): Transition {
  if (state.phase !== 'loading' || state.isPlaying) return unchanged(state);
  return unchanged({ ...state, phase: 'paused' });
}

/** Returns whether the track sounds, or will when more of its audio arrives. */
export const isPlayingOrBuffering = ({ phase }: PlayerState): boolean =>
  phase === 'playing' || phase === 'buffering';

function handleElementEvent(state: PlayerState, event: ElementEvent, gate: Gate): Transition {
  switch (event.type) {
    case 'ready':
      return handleReady(state);
    case 'started':
      return handleStarted(state);
    case 'stalled':
      return unchanged(
        isPlayingOrBuffering(state) ? { ...state, phase: 'buffering', isStalled: true } : state,
      );
    case 'elementPaused':
      return isPlayingOrBuffering(state) ? transport.handlePaused(state) : unchanged(state);
    case 'ended':
      // A seek to the end of paused audio ends it too.
      return state.isPlaying ? handleEnded(state, gate) : unchanged(state);
    case 'timedOut':
      return recovery.retryAfterTimeout(state, gate);
    case 'systemResumed':
      return recovery.recoverFromSuspend(state, event.seconds);
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
    state: { ...state, phase: 'idle', isPlaying: false, isInterrupted: false },
    effects: [{ type: 'unload' }, { type: 'refused', track }],
  };
}

function handleUrl(state: PlayerState, id: string, url: string): Transition {
  const { activeTrack } = state;
  return unchanged({
    ...state,
    queue: setTrackUrl(state.queue, id, url),
    activeTrack: activeTrack?._id === id ? { ...activeTrack, url } : activeTrack,
  });
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
      return retarget(practice.stepSentence(state, event.direction));
    case 'togglePractice':
      return unchanged(practice.togglePractice(state, event.mode));
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
    case 'enqueue':
      return queue.enqueueTrack(state, event.track, event.at);
    case 'playNext':
      return queue.moveAfterActive(state, event.id);
    case 'restoreQueue':
      return queue.restoreQueue(state, event.queue, event.activeId, gate);
    case 'undoEnqueue':
      return queue.undoEnqueue(state, event, gate);
    case 'reset':
      return transport.resetPlayer(state);
    case 'pageHidden':
      return state.isPlaying ? transport.saveIfPlayed(state, 'hide') : unchanged(state);
    case 'remotePositionsReceived':
      return remote.applyRemotePositions(state, event);
    case 'remoteIsAhead':
      return remote.followRemotePosition(state, event);
    case 'urlReceived':
      return handleUrl(state, event.id, event.url);
    case 'otherTabPlaying':
      return remote.yieldToOtherTab(state, event.signal);
    case 'otherTabMoved':
      return retarget(remote.followOtherTab(state, event));
    case 'networkRestored':
      return recovery.recoverFromOffline(state, event.seconds, gate);
    case 'refusedByServer':
      return handleRefusal(state);
    default:
      return handleSoundEvent(state, event, gate);
  }
}

/**
 * The player as a pure function: returns the next state and the effects to run, in order. Unknown indexes, and events that
 * do not fit the state, change nothing.
 */
export function transition(state: PlayerState, event: PlayerEvent, gate: Gate): Transition {
  const next = sound.applySoundSettings(state, handleEvent(state, event, gate));
  const isBack = next.state.isPlayingInOtherTab && next.state.isPlaying;
  return isBack ? { ...next, state: { ...next.state, isPlayingInOtherTab: false } } : next;
}

/** Returns whether an event is a seek by the user. */
export const isSeek = ({ type }: PlayerEvent): boolean =>
  type === 'seek' || type === 'skipBy' || type === 'stepSentence';
