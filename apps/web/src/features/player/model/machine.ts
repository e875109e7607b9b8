import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex } from './queue.ts';
import * as queue from './queue-edits.ts';
import * as recovery from './recovery.ts';
import * as remote from './remote-progress.ts';
import * as sentences from './sentences.ts';
import * as sound from './sound.ts';
import {
  type PlayerError,
  type PlayerEvent,
  type PlayerEvents,
  type PlayerState,
  TICK_INTERVAL_MS,
  type Transition,
} from './state.ts';
import * as transport from './transport.ts';
import { unchanged } from './transport.ts';

/** Progress is saved before this much sound is unsaved; a late tick stays below the five seconds of PLAY-05. */
const MAX_UNSAVED_SECONDS = 4.2;

/** Returns whether the track sounds, or will when more of its audio arrives. */
export const isPlayingOrBuffering = ({ phase }: PlayerState): boolean =>
  phase === 'playing' || phase === 'buffering';

/** Returns whether the element's position is that of the track. */
export const hasElementPosition = (state: PlayerState): boolean =>
  isPlayingOrBuffering(state) || state.phase === 'paused';

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
  if (!track || !hasElementPosition(state)) return unchanged(state);
  const moved = sound.moveTo(state, track, position);
  if (state.phase !== 'playing') return unchanged(moved);
  const sentenceEnd = sentences.getSentenceEnd(state);
  if (sentenceEnd !== null && moved.progress >= sentenceEnd) return sentences.finishSentence(moved);
  if (seconds === null) return unchanged(moved);
  if (typeof state.sleep !== 'number') return handleTick(moved, seconds);
  const sleep = state.sleep - seconds;
  return sleep > 0 ? handleTick({ ...moved, sleep }, seconds) : transport.pause({ ...moved, sleep: null });
}

function handleEnded(before: PlayerState, gate: Gate): Transition {
  const track = before.activeTrack;
  const isSounding = track && before.phase === 'playing';
  const state = isSounding ? sound.moveTo(before, track, track.duration) : before;
  const finished = sentences.getSentenceEnd(state) === null ? null : sentences.finishSentence(state);
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

function handleRefusal(state: PlayerState): Transition {
  const track = state.activeTrack;
  if (!track || state.phase !== 'loading') return unchanged(state);
  return {
    state: { ...state, phase: 'idle', isPlaying: false, isInterrupted: false },
    effects: [{ type: 'unload' }, { type: 'refused', track }],
  };
}

function handleUrl(state: PlayerState, { id, url }: PlayerEvents['urlReceived']): Transition {
  const setUrl = (track: Track): Track => (track._id === id ? { ...track, url } : track);
  const { queue, activeTrack } = state;
  return unchanged({ ...state, queue: queue.map(setUrl), activeTrack: activeTrack && setUrl(activeTrack) });
}

const retarget = ({ state, effects }: Transition): Transition => ({
  state: sentences.retargetPractice(state),
  effects,
});

function playFrom(state: PlayerState, event: PlayerEvents['playFrom'], gate: Gate): Transition {
  const started = transport.playFromSource(state, event, gate);
  // What is refused does not play: the position of what plays now must not change.
  if (event.from === undefined || started.state === state) return started;
  const moved = retarget(transport.seek(started.state, event.from));
  return { state: moved.state, effects: [...started.effects, ...moved.effects] };
}

type Handlers = {
  [Type in keyof PlayerEvents]: (state: PlayerState, event: PlayerEvents[Type], gate: Gate) => Transition;
};

const handlers: Handlers = {
  playFrom,
  play: (state, _, gate) => transport.play(state, gate),
  pause: transport.pause,
  toggle: (state, _, gate) => (state.isPlaying ? transport.pause(state) : transport.play(state, gate)),
  previous: (state, _, gate) => transport.previousTrack(state, gate),
  next: (state, { removeFromContinue }, gate) => transport.nextTrack(state, removeFromContinue, gate),
  skipTo: (state, { index }, gate) => transport.skipTo(state, index, gate),
  remove: (state, { id }, gate) => queue.removeTrack(state, id, gate),
  move: (state, { id, index }) => queue.moveTrack(state, id, index),
  playNext: (state, { id }) => queue.moveAfterActive(state, id),
  enqueue: (state, { track, at }) => queue.enqueueTrack(state, track, at),
  undoEnqueue: queue.undoEnqueue,
  restoreQueue: queue.restoreQueue,
  reset: transport.resetPlayer,
  pageHidden: (state) => (state.isPlaying ? transport.saveIfPlayed(state, 'hide') : unchanged(state)),

  remotePositionsReceived: remote.applyRemotePositions,
  remoteIsAhead: remote.followRemotePosition,
  urlReceived: handleUrl,
  refusedByServer: handleRefusal,
  otherTabPlaying: (state, { signal }) => remote.yieldToOtherTab(state, signal),
  otherTabMoved: (state, moved) => retarget(remote.followOtherTab(state, moved)),
  networkRestored: (state, { seconds }, gate) => recovery.recoverFromOffline(state, seconds, gate),

  seek: (state, { position }) => retarget(transport.seek(state, position)),
  skipBy: (state, { seconds }) => retarget(transport.seek(state, state.progress + seconds)),
  stepSentence: (state, { direction }) => retarget(sentences.stepSentence(state, direction)),
  togglePractice: (state, { mode }) => unchanged(sentences.togglePractice(state, mode)),
  sentencesLoaded: (state, { id, spans }) => unchanged(sentences.setSentences(state, id, spans)),
  cycleSpeed: (state) => unchanged(sound.cycleSpeed(state)),
  setSpeed: (state, { speed }) => unchanged(sound.setSpeed(state, speed)),
  changeSpeed: (state, { by }) => unchanged(sound.setSpeed(state, state.speed + by)),
  setVolume: (state, { volume }) => unchanged(sound.setVolume(state, volume, false)),
  toggleMute: (state) => unchanged(sound.setVolume(state, state.volume, !state.muted)),
  setSleep: (state, { sleep }) => unchanged({ ...state, sleep }),

  ready: handleReady,
  started: handleStarted,
  stalled: (state) =>
    unchanged(isPlayingOrBuffering(state) ? { ...state, phase: 'buffering', isStalled: true } : state),
  elementPaused: (state) => (isPlayingOrBuffering(state) ? transport.handlePaused(state) : unchanged(state)),
  // A seek to the end of paused audio ends it too.
  ended: (state, _, gate) => (state.isPlaying ? handleEnded(state, gate) : unchanged(state)),
  timedOut: (state, _, gate) => recovery.retryAfterTimeout(state, gate),
  systemResumed: (state, { seconds }) => recovery.recoverFromSuspend(state, seconds),
  time: (state, { position }) => handlePosition(state, position, null),
  tick: (state, { position, seconds }) => handlePosition(state, position, seconds),
  failed: (state, { error }, gate) => handleFailure(state, error, gate),
};

const handleEvent = <Type extends keyof PlayerEvents>(
  state: PlayerState,
  event: PlayerEvent<Type>,
  gate: Gate,
): Transition => handlers[event.type](state, event, gate);

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
export const isSeek = (event: PlayerEvent): boolean =>
  event.type === 'seek' ||
  event.type === 'skipBy' ||
  event.type === 'stepSentence' ||
  (event.type === 'playFrom' && event.from !== undefined);

/** How long before its end the next track is preloaded when this one is loaded completely. */
const COMPLETE_LEAD_SECONDS = 60;
const PARTIAL_LEAD_SECONDS = 15;
/** How far the element's duration may differ from the track's. */
const DURATION_TOLERANCE_SECONDS = 1;

/**
 * Returns the track that will play next by auto-advance, once it is time to preload it. Returns null at the queue's end,
 * before a closed gate (PLAY-04), and when the sleep timer ends earlier.
 * @param buffered - how far the active track is loaded; seconds
 */
export function findTrackToPreload(state: PlayerState, buffered: number, gate: Gate): Track | null {
  const { activeTrack, queue, sleep, progress } = state;
  if (!activeTrack || state.phase !== 'playing' || sleep === 'track') return null;
  const index = findTrackIndex(queue, activeTrack._id) + 1;
  const next = queue[index];
  if (!next || gate({ source: next.source, index }) === 'closed') return null;
  const remaining = (activeTrack.duration - progress) / sound.getPlaybackRate(state);
  const isComplete = buffered >= activeTrack.duration - DURATION_TOLERANCE_SECONDS;
  if (remaining > (isComplete ? COMPLETE_LEAD_SECONDS : PARTIAL_LEAD_SECONDS)) return null;
  return sleep !== null && sleep < remaining ? null : next;
}
