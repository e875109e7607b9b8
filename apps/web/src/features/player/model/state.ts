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

/** The fields of the player's events, by type. */
export interface PlayerEvents {
  // Of the queue and the transport controls.
  playFrom: {
    source: Source;
    tracks: readonly Track[];
    index: number;
    /** Whether the user has composed the list: then all of it plays, in its order. */
    isOwn?: boolean;
    /** Replaces the queue also where it is of the same source. */
    restart?: boolean;
    /** Where to begin, instead of at the saved position; seconds. */
    from?: number | undefined;
    /** What the user learns, set by the runner; leaves out what does not suit. */
    learning?: Learning | undefined;
  };
  play: unknown;
  pause: unknown;
  toggle: unknown;
  previous: unknown;
  next: { removeFromContinue: boolean };
  skipTo: { index: number };
  remove: { id: string };
  move: { id: string; index: number };
  playNext: { id: string };
  /** Adds a track that is not in the queue, or moves it there. */
  enqueue: { track: Track; at: 'next' | 'end' };
  /** `queue`: the one from before the track was added or moved. */
  undoEnqueue: { id: string; queue: readonly Track[] };
  restoreQueue: { queue: readonly Track[]; activeId: string };
  reset: unknown;
  pageHidden: unknown;

  // Of other tabs, other devices, the server and the network.
  remotePositionsReceived: {
    /** Seconds by track. */
    positions: Readonly<Record<string, number>>;
    /** The kind of the device that saved a position, where known. */
    deviceKinds?: Readonly<Record<string, DeviceKind>>;
  };
  /** The server did not apply this device's progress, because another device is further ahead. */
  remoteIsAhead: { id: string; position: number; deviceKind: DeviceKind | null };
  urlReceived: { id: string; url: string };
  refusedByServer: unknown;
  otherTabPlaying: { signal: TabSignal };
  otherTabMoved: TabPosition;
  /** The network is back, so many seconds after playing was interrupted. */
  networkRestored: { seconds: number };

  // Of the sound settings and the text.
  seek: { position: number };
  skipBy: { seconds: number };
  stepSentence: { direction: 1 | -1 };
  togglePractice: { mode: PracticeMode };
  sentencesLoaded: { id: string; spans: readonly Span[] };
  cycleSpeed: unknown;
  setSpeed: { speed: number };
  changeSpeed: { by: number };
  setVolume: { volume: number };
  toggleMute: unknown;
  setSleep: { sleep: Sleep };

  // Of the audio element and its timers.
  ready: unknown;
  started: unknown;
  stalled: unknown;
  /** The element paused by itself. */
  elementPaused: unknown;
  ended: unknown;
  /** No data arrived in time. */
  timedOut: unknown;
  /** The machine was suspended for so many seconds. */
  systemResumed: { seconds: number };
  /** The position, as often as the element reports it. */
  time: { position: number };
  /** The position, every second of playing, with the seconds since the last tick. */
  tick: { position: number; seconds: number };
  /** `blocked`: the browser requires a click before it plays. */
  failed: { error: PlayerError | 'blocked' };
}

/** An event of the player, of any type or of some. */
export type PlayerEvent<Type extends keyof PlayerEvents = keyof PlayerEvents> = {
  [Each in Type]: { type: Each } & PlayerEvents[Each];
}[Type];

/** The fields of the player's side effects, by type. */
export interface Effects {
  /** `refreshUrl`: request a new URL first. `checkRemote`: load the progress of other devices first. */
  load: { track: Track; position: number; refreshUrl: boolean; checkRemote: boolean };
  play: unknown;
  pause: unknown;
  unload: unknown;
  seek: { position: number };
  setSpeed: { speed: number };
  setVolume: { volume: number };
  saveProgress: { track: Track; position: number; cause: ProgressCause; secondsPlayed: number };
  refused: { track: Track };
  /** The position changed by more than the user may have intended; the reason is a jump to the start or another device. */
  positionChanged: { track: Track; from: number; to: number; reason: 'start' | DeviceKind | 'otherDevice' };
  notifyError: { track: Track; error: PlayerError };
}

/** A side effect for the runner, as data. */
export type Effect<Type extends keyof Effects = keyof Effects> = {
  [Each in Type]: { type: Each } & Effects[Each];
}[Type];

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
