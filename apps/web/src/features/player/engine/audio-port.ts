import type { ElementEvent } from '../model/state.ts';

/** What an audio element tells: all but the tick, which the engine takes, and how far (in seconds) the audio is loaded from here on. */
export type AudioReport =
  | Exclude<ElementEvent, { type: 'tick' | 'time' }>
  | { type: 'time'; position: number }
  | { type: 'buffered'; to: number };

/** One source of sound. Positions in seconds, volume 0 to 1. Nothing throws: what goes wrong is reported as `failed`. */
export interface AudioPort {
  /** Takes another audio, to begin at a position; it sounds once `play` is called. Settings stay. */
  load: (url: string, position: number) => void;
  play: () => void;
  pause: () => void;
  seek: (position: number) => void;
  setSpeed: (speed: number) => void;
  setVolume: (volume: number) => void;
  /** Lets go of the audio. */
  unload: () => void;
  position: () => number;
  /** Hears reports. Out: stops hearing. */
  listen: (report: (event: AudioReport) => void) => () => void;
}
