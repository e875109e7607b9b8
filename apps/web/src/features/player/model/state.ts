import { type DeviceKind, limits, type ProgressCause, type Track } from '@escucho/contracts';

/**
 * What the audio element does: `idle` holds no audio, `loading` fetches it, `buffering` ran dry or is about to sound,
 * `error` gave up until the reader tries again.
 */
export type Phase = 'idle' | 'loading' | 'playing' | 'buffering' | 'paused' | 'error';

/** Why no sound comes: the `network` did not answer, or the audio is `unavailable`: it cannot be had or decoded. */
export type PlayerError = 'network' | 'unavailable';

/** A list tracks are played from; its name is the source (CAT-02), its id goes along to the server's gate. */
export interface Source {
  name: string;
  playlist: string | null;
}

/** What a tab that plays says to the others: it `begins`, or it `goesOn`. */
export type TabSignal = 'begins' | 'goesOn';

/** Where a track is in the tab that plays it; seconds. */
export interface TabPosition {
  id: string;
  position: number;
}

/** How long sound goes on: seconds of sound that are left, to the end of the track, or without end. */
export type Sleep = number | 'track' | null;

/** A sentence of what is heard: where it begins and ends, in seconds. */
export interface Span {
  start: number;
  end: number;
}

/** What is done with each sentence: said again and again, said slowly and then faster, or followed by a pause. */
export type PracticeMode = 'loop' | 'ladder' | 'pause';

/** A drill under way: the sentence by its number, -1 until the text is known; how often it was said again. */
export interface Practice {
  mode: PracticeMode;
  sentence: number;
  round: number;
}

/** The player (PLAY-01). Positions in seconds, volume 0 to 1. */
export interface PlayerState {
  phase: Phase;
  /** The reader wants sound; `phase` says what the element makes of it. */
  isPlaying: boolean;
  volume: number;
  muted: boolean;
  /** Of what plays: its own where the reader chose one for it, otherwise the usual. 1 is as it was spoken. */
  speed: number;
  /** The last one chosen by hand: for tracks without their own. */
  usualSpeed: number;
  /** Chosen by hand, by track. */
  speeds: Readonly<Record<string, number>>;
  sleep: Sleep;
  queue: readonly Track[];
  /** Always one of the queue, null when the queue is empty. */
  activeTrack: Track | null;
  progress: number;
  /** The sentences of the active track, in order; none until its text is known. */
  spans: readonly Span[];
  practice: Practice | null;
  error: PlayerError | null;
  /** The element ran dry and has not sounded since: what it waits for may never come. */
  isStalled: boolean;
  /** Another tab has played since this one did: the queue it keeps in storage is the one that lasts. */
  isPlayingInOtherTab: boolean;
  /** A fresh address was asked for since sound last held: the next failure is shown. */
  urlRefreshed: boolean;
  /** It was loaded once more since sound last held, for nothing came: the next wait in vain is shown. */
  isReloaded: boolean;
  /** Sound was cut off and comes back by itself: once the network is there, unless another device has gone on meanwhile. */
  isInterrupted: boolean;
  /** The reader has chosen the place since sound was last wanted: no other device's is wanted. */
  isUserSeek: boolean;
  /** The active track came by itself, after one that sounded, and has not sounded yet. */
  autoAdvanced: boolean;
  /** What was heard since the place was last saved; seconds of sound. */
  unsavedSeconds: number;
}

export const emptyPlayer: PlayerState = {
  phase: 'idle',
  isPlaying: false,
  volume: 1,
  muted: false,
  speed: 1,
  usualSpeed: 1,
  speeds: {},
  sleep: null,
  queue: [],
  activeTrack: null,
  progress: 0,
  spans: [],
  practice: null,
  error: null,
  isStalled: false,
  isPlayingInOtherTab: false,
  urlRefreshed: false,
  isReloaded: false,
  isInterrupted: false,
  isUserSeek: false,
  autoAdvanced: false,
  unsavedSeconds: 0,
};

/** What is asked of the queue and of playing. */
export type TransportEvent =
  | { type: 'add'; source: Source; tracks: readonly Track[] }
  | { type: 'playFrom'; source: Source; tracks: readonly Track[]; index: number }
  | { type: 'play' | 'pause' | 'toggle' | 'previous' | 'reset' | 'pageHidden' }
  | { type: 'next'; removeFromContinue: boolean }
  | { type: 'skipTo'; index: number }
  | { type: 'remove' | 'playNext'; id: string }
  | { type: 'move'; id: string; index: number }
  | { type: 'restoreQueue'; queue: readonly Track[]; activeId: string }
  | {
      type: 'remotePositionsReceived';
      places: Readonly<Record<string, number>>;
      /** What kind of device wrote a place, where it said so. */
      heardOn?: Readonly<Record<string, DeviceKind>>;
    }
  /** What was told of a track changes nothing, for another device has gone on there. */
  | { type: 'remoteIsAhead'; id: string; position: number; heardOn: DeviceKind | null }
  | { type: 'urlReceived'; id: string; url: string }
  | { type: 'otherTabPlaying'; word: TabSignal }
  | ({ type: 'otherTabMoved' } & TabPosition)
  | { type: 'networkRestored'; seconds: number }
  | { type: 'refusedByServer' };

/** What is asked of the sound and of the text that goes with it. */
export type SoundEvent =
  | { type: 'seek'; position: number }
  | { type: 'skipBy'; seconds: number }
  | { type: 'stepSentence'; way: 1 | -1 }
  | { type: 'togglePractice'; drill: PracticeMode }
  | { type: 'sentencesLoaded'; id: string; spans: readonly Span[] }
  | { type: 'cycleSpeed' | 'toggleMute' }
  | { type: 'setSpeed'; speed: number }
  | { type: 'changeSpeed'; by: number }
  | { type: 'setVolume'; volume: number }
  | { type: 'setSleep'; sleep: Sleep };

export type PlayerEvent = TransportEvent | SoundEvent | ElementEvent;

/**
 * What the audio element reports. `blocked`: the browser wants a click first. `tick` comes every second of playing and says how
 * long the last one is ago, `time` as often as the element likes. `hung`: nothing came for as long as anybody waits. `woke`: the
 * machine slept for so many seconds.
 */
export type ElementEvent =
  | { type: 'ready' | 'started' | 'stalled' | 'elementPaused' | 'ended' | 'timedOut' }
  | { type: 'systemResumed'; seconds: number }
  | { type: 'time'; position: number }
  | { type: 'tick'; position: number; seconds: number }
  | { type: 'failed'; error: PlayerError | 'blocked' };

/** What the runner has to do, as plain data. */
export type Effect =
  /** `fresh`: by a new address. `isInterrupted`: what other devices have done comes first. */
  | { type: 'load'; track: Track; position: number; fresh: boolean; isInterrupted: boolean }
  | { type: 'play' | 'pause' | 'unload' }
  | { type: 'seek'; position: number }
  | { type: 'setSpeed'; speed: number }
  | { type: 'setVolume'; volume: number }
  | { type: 'saveProgress'; track: Track; position: number; cause: ProgressCause }
  | { type: 'refused'; track: Track }
  /** The place changed by more than the reader may have meant; `from` is the way back. `elsewhere`, or a kind of device: another one has gone on. */
  | {
      type: 'positionChanged';
      track: Track;
      from: number;
      to: number;
      why: 'start' | DeviceKind | 'elsewhere';
    }
  | { type: 'notifyError'; track: Track; error: PlayerError };

export interface Transition {
  state: PlayerState;
  effects: readonly Effect[];
}

/** The place a track is begun at: where it was left, the start when that was the end (PLAY-05). */
export const getStartPosition = (track: Track): number =>
  track.progress > 0 && track.progress < track.duration - limits.player.tick / 1000 ? track.progress : 0;

/** A position brought within the track. */
export const clampPosition = (track: Track, position: number): number =>
  Math.min(Math.max(Number.isFinite(position) ? position : 0, 0), track.duration);
