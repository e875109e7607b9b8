import { type DeviceKind, type Learning, limits, type ProgressCause, type Track } from '@escucho/contracts';

/**
 * The state of the audio element: `idle` has no audio, `loading` fetches it, `buffering` waits for data or is about to
 * play, `error` has failed until the user tries again.
 */
export type Phase = 'idle' | 'loading' | 'playing' | 'buffering' | 'paused' | 'error';

/** `network`: no response; `unavailable`: the audio cannot be fetched or decoded. */
export type PlayerError = 'network' | 'unavailable';

/** A list that tracks are played from: its name (CAT-02), and its id for the server's access check. */
export interface Source {
  name: string;
  playlist: string | null;
}

/** The message of a playing tab to the others: playing `begins` or `goesOn`. */
export type TabSignal = 'begins' | 'goesOn';

/** The position of a track in the tab that plays it; seconds. */
export interface TabPosition {
  id: string;
  position: number;
}

/** The sleep timer: seconds of sound left, until the end of the track, or off. */
export type Sleep = number | 'track' | null;

/** The start and end of a sentence; seconds. */
export interface Span {
  start: number;
  end: number;
}

/** What happens at the end of each sentence: it repeats, it repeats at rising speeds, or playing pauses. */
export type PracticeMode = 'loop' | 'speedLadder' | 'pauseAfterSentence';

export interface Practice {
  mode: PracticeMode;
  /** The index of the sentence, -1 until the text is loaded. */
  sentence: number;
  /** How often the sentence was repeated. */
  round: number;
}

/** The player (PLAY-01). Positions in seconds, volume 0 to 1. */
export interface PlayerState {
  phase: Phase;
  /** Whether the user wants sound; `phase` is what the element does. */
  isPlaying: boolean;
  volume: number;
  muted: boolean;
  /** The active track's speed; 1 is the recorded speed. */
  speed: number;
  /** The speed last chosen, for tracks without a speed of their own. */
  usualSpeed: number;
  /** Chosen speeds by track. */
  speeds: Readonly<Record<string, number>>;
  sleep: Sleep;
  queue: readonly Track[];
  /** A track of the queue; null when the queue is empty. */
  activeTrack: Track | null;
  progress: number;
  /** The sentences of the active track in order; empty until its text is loaded. */
  spans: readonly Span[];
  practice: Practice | null;
  error: PlayerError | null;
  /** The element ran out of data and has not played since. */
  isStalled: boolean;
  /** Another tab has played since this one did; its queue is the one in storage. */
  isPlayingInOtherTab: boolean;
  /** The URL was refreshed since the audio last played for a while: the next error is shown. */
  urlRefreshed: boolean;
  /** The audio was reloaded after a timeout since it last played for a while: the next timeout is shown. */
  isReloaded: boolean;
  /** Playing was interrupted and resumes by itself, unless another device is further ahead by then. */
  isInterrupted: boolean;
  /** The user has used the seek controls since playing was started: positions of other devices are ignored. */
  isUserSeek: boolean;
  /** The active track was reached by auto-advance and has not played yet. */
  autoAdvanced: boolean;
  /** Seconds of the track that ticks have counted since progress was last saved; they decide when it is saved again. */
  unsavedSeconds: number;
  /** How long the active track has sounded since its last entry; seconds of time, whatever the speed. */
  secondsPlayed: number;
  /** The active track has played here since its progress was last saved by a pause, or taken from another device. */
  hasPlayed: boolean;
}

/** Returns whether the last track of the queue has played to its end. */
export const hasPlayedToEnd = ({ phase, isPlaying, activeTrack, progress, queue }: PlayerState): boolean =>
  phase === 'paused' &&
  !isPlaying &&
  activeTrack !== null &&
  progress >= activeTrack.duration &&
  queue.at(-1)?._id === activeTrack._id;

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
  secondsPlayed: 0,
  hasPlayed: false,
};

/** Events of the queue, of transport controls, and from other tabs, other devices and the server. */
export type TransportEvent =
  | {
      type: 'playFrom';
      source: Source;
      tracks: readonly Track[];
      index: number;
      /** Whether the user has composed the list. */
      isOwn?: boolean;
      /** Replaces the queue also where it is of the same source. */
      restart?: boolean;
      /** What the user learns, set by the runner; leaves out what does not suit. */
      learning?: Learning | undefined;
    }
  | { type: 'play' | 'pause' | 'toggle' | 'previous' | 'reset' | 'pageHidden' }
  | { type: 'next'; removeFromContinue: boolean }
  | { type: 'skipTo'; index: number }
  | { type: 'remove' | 'playNext'; id: string }
  /** Adds a track that is not in the queue, or moves it there. */
  | { type: 'enqueue'; track: Track; at: 'next' | 'end' }
  | { type: 'move'; id: string; index: number }
  | { type: 'restoreQueue'; queue: readonly Track[]; activeId: string }
  /** `queue`: the one from before the track was added or moved. */
  | { type: 'undoEnqueue'; id: string; queue: readonly Track[] }
  | {
      type: 'remotePositionsReceived';
      /** Seconds by track. */
      positions: Readonly<Record<string, number>>;
      /** The kind of the device that saved a position, where known. */
      deviceKinds?: Readonly<Record<string, DeviceKind>>;
    }
  /** The server did not apply this device's progress, because another device is further ahead. */
  | { type: 'remoteIsAhead'; id: string; position: number; deviceKind: DeviceKind | null }
  | { type: 'urlReceived'; id: string; url: string }
  | { type: 'otherTabPlaying'; signal: TabSignal }
  | ({ type: 'otherTabMoved' } & TabPosition)
  /** The network is back, so many seconds after playing was interrupted. */
  | { type: 'networkRestored'; seconds: number }
  | { type: 'refusedByServer' };

/** Events of the sound settings and of the text. */
export type SoundEvent =
  | { type: 'seek'; position: number }
  | { type: 'skipBy'; seconds: number }
  | { type: 'stepSentence'; direction: 1 | -1 }
  | { type: 'togglePractice'; mode: PracticeMode }
  | { type: 'sentencesLoaded'; id: string; spans: readonly Span[] }
  | { type: 'cycleSpeed' | 'toggleMute' }
  | { type: 'setSpeed'; speed: number }
  | { type: 'changeSpeed'; by: number }
  | { type: 'setVolume'; volume: number }
  | { type: 'setSleep'; sleep: Sleep };

/**
 * Events of the audio element and its timers. `elementPaused`: the element paused by itself. `timedOut`: no data arrived
 * in time. `systemResumed`: the machine was suspended for so many seconds. `time`: the position, as often as the element
 * reports it. `tick`: the position, every second of playing, with the seconds since the last tick. `blocked`: the browser
 * requires a click before it plays.
 */
export type ElementEvent =
  | { type: 'ready' | 'started' | 'stalled' | 'elementPaused' | 'ended' | 'timedOut' }
  | { type: 'systemResumed'; seconds: number }
  | { type: 'time'; position: number }
  | { type: 'tick'; position: number; seconds: number }
  | { type: 'failed'; error: PlayerError | 'blocked' };

export type PlayerEvent = TransportEvent | SoundEvent | ElementEvent;

/** A side effect for the runner, as data. */
export type Effect =
  /** `refreshUrl`: request a new URL first. `checkRemote`: load the progress of other devices first. */
  | { type: 'load'; track: Track; position: number; refreshUrl: boolean; checkRemote: boolean }
  | { type: 'play' | 'pause' | 'unload' }
  | { type: 'seek'; position: number }
  | { type: 'setSpeed'; speed: number }
  | { type: 'setVolume'; volume: number }
  | { type: 'saveProgress'; track: Track; position: number; cause: ProgressCause; secondsPlayed: number }
  | { type: 'refused'; track: Track }
  /** The position changed by more than the user may have intended; the reason is a jump to the start or another device. */
  | {
      type: 'positionChanged';
      track: Track;
      from: number;
      to: number;
      reason: 'start' | DeviceKind | 'otherDevice';
    }
  | { type: 'notifyError'; track: Track; error: PlayerError };

export interface Transition {
  state: PlayerState;
  effects: readonly Effect[];
}

/** How often the runner dispatches `tick` while playing (PLAY-06). */
export const TICK_INTERVAL_MS = limits.player.tick;

/** Returns where a track starts: at its saved position, or at 0 when that is the end (PLAY-05). Seconds. */
export const getStartPosition = (track: Track): number =>
  track.progress > 0 && track.progress < track.duration - TICK_INTERVAL_MS / 1000 ? track.progress : 0;

/** Limits a position to the track; NaN becomes 0. */
export const clampPosition = (track: Track, position: number): number =>
  Math.min(Math.max(Number.isFinite(position) ? position : 0, 0), track.duration);
