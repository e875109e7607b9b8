import type { ElementEvent } from '../model/state.ts';

/** An event of the audio element, or how far (in seconds) the audio is loaded without a gap. */
export type AudioReport =
  | Exclude<ElementEvent, { type: 'tick' | 'time' }>
  | { type: 'time'; position: number }
  | { type: 'buffered'; to: number };

/** An audio element. Positions in seconds, volume 0 to 1. Methods never throw: errors are reported as `failed`. */
export interface AudioPort {
  /** Loads an audio at a position, paused. Speed and volume stay. */
  load: (url: string, position: number) => void;
  play: () => void;
  pause: () => void;
  seek: (position: number) => void;
  setSpeed: (speed: number) => void;
  setVolume: (volume: number) => void;
  unload: () => void;
  position: () => number;
  /** Sets the listener for reports; returns a function that removes it. */
  listen: (report: (event: AudioReport) => void) => () => void;
}
