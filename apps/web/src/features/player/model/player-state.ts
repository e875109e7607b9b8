import { limits, type ProgressCause, type Track } from '@escucho/contracts';

/**
 * What the audio element does: `idle` holds no audio, `loading` fetches it, `buffering` ran dry or is about to sound,
 * `error` gave up until the reader tries again.
 */
export type Phase = 'idle' | 'loading' | 'playing' | 'buffering' | 'paused' | 'error';

/** Why no sound comes: the `network` did not answer, or the audio is `unavailable`: it cannot be had or decoded. */
export type Fault = 'network' | 'unavailable';

/** A list tracks are played from; its name is the source (CAT-02), its id goes along to the server's gate. */
export interface Source {
  name: string;
  playlist: string | null;
}

export type Speed = (typeof limits.player.speeds)[number];

/** The player (PLAY-01). Positions in seconds, volume 0 to 1. */
export interface PlayerState {
  phase: Phase;
  /** The reader wants sound; `phase` says what the element makes of it. */
  isPlaying: boolean;
  volume: number;
  muted: boolean;
  speed: Speed;
  queue: readonly Track[];
  /** Always one of the queue, null when the queue is empty. */
  activeTrack: Track | null;
  progress: number;
  fault: Fault | null;
  /** A fresh address was asked for since sound last held: the next failure is shown. */
  renewed: boolean;
  /** Ticks since the place was last saved. */
  unsavedTicks: number;
}

export const emptyPlayer: PlayerState = {
  phase: 'idle',
  isPlaying: false,
  volume: 1,
  muted: false,
  speed: 1,
  queue: [],
  activeTrack: null,
  progress: 0,
  fault: null,
  renewed: false,
  unsavedTicks: 0,
};

export type PlayerEvent =
  | { type: 'add'; source: Source; tracks: readonly Track[] }
  | { type: 'playFrom'; source: Source; tracks: readonly Track[]; index: number }
  | { type: 'play' | 'pause' | 'toggle' | 'previous' | 'reset' | 'cycleSpeed' | 'toggleMute' | 'hide' }
  | { type: 'next'; removeFromContinue: boolean }
  | { type: 'skipTo'; index: number }
  | { type: 'remove'; id: string }
  | { type: 'seek'; position: number }
  | { type: 'skipBy'; seconds: number }
  | { type: 'setVolume'; volume: number }
  | { type: 'placesLearned'; places: Readonly<Record<string, number>> }
  | { type: 'refusedByServer' }
  | ElementEvent;

/** What the audio element reports. `blocked`: the browser wants a click first. `tick` comes every second of playing, `time` as often as the element likes. */
export type ElementEvent =
  | { type: 'ready' | 'started' | 'stalled' | 'halted' | 'ended' }
  | { type: 'time' | 'tick'; position: number }
  | { type: 'failed'; fault: Fault | 'blocked' };

/** What the runner has to do, as plain data. */
export type Effect =
  | { type: 'load'; track: Track; position: number; fresh: boolean }
  | { type: 'play' | 'pause' | 'unload' }
  | { type: 'seek'; position: number }
  | { type: 'setSpeed'; speed: Speed }
  | { type: 'setVolume'; volume: number }
  | { type: 'saveProgress'; track: Track; position: number; cause: ProgressCause }
  | { type: 'refused'; track: Track }
  | { type: 'notifyError'; track: Track; fault: Fault };

export interface Step {
  state: PlayerState;
  effects: readonly Effect[];
}

/** The place a track is begun at: where it was left, the start when that was the end (PLAY-05). */
export const startOf = (track: Track): number =>
  track.progress > 0 && track.progress < track.duration - limits.player.tick / 1000 ? track.progress : 0;

/** A position brought within the track. */
export const within = (track: Track, position: number): number =>
  Math.min(Math.max(Number.isFinite(position) ? position : 0, 0), track.duration);
