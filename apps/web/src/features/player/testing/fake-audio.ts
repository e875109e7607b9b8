import type { AudioPort, AudioReport } from '../audio/audio-port.ts';

/** An audio port without sound: tests see what it was asked for, and say what an element would report. */
export class FakeAudio implements AudioPort {
  url: string | null = null;
  loads = 0;
  isSounding = false;
  speed = 1;
  volume = 1;
  at = 0;
  #report: (event: AudioReport) => void = () => {};

  load = (url: string, position: number): void => {
    this.url = url;
    this.loads += 1;
    this.at = position;
    this.isSounding = false;
  };
  play = (): void => {
    this.isSounding = true;
  };
  pause = (): void => {
    this.isSounding = false;
  };
  seek = (position: number): void => {
    this.at = position;
  };
  setSpeed = (speed: number): void => {
    this.speed = speed;
  };
  setVolume = (volume: number): void => {
    this.volume = volume;
  };
  unload = (): void => {
    this.url = null;
    this.isSounding = false;
  };
  position = (): number => this.at;
  listen = (report: (event: AudioReport) => void): (() => void) => {
    this.#report = report;
    return () => {
      this.#report = () => {};
    };
  };

  /** The element reports. */
  says(event: AudioReport): void {
    this.#report(event);
  }

  /** What was asked for can be heard now. */
  sounds(): void {
    this.says({ type: 'ready' });
    if (this.isSounding) this.says({ type: 'started' });
  }

  /** The sound has come to a place. */
  comesTo(position: number): void {
    this.at = position;
    this.says({ type: 'time', position });
  }
}
