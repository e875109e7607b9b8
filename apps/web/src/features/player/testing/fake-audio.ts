import type { AudioPort, AudioReport } from '../engine/html-audio.ts';

/** An audio port without sound, which records what was requested; tests emit the reports of the element. */
export class FakeAudio implements AudioPort {
  url: string | null = null;
  loadCount = 0;
  isPlaying = false;
  speed = 1;
  volume = 1;
  currentTime = 0;
  #report: (event: AudioReport) => void = () => {};

  load = (url: string, position: number): void => {
    this.url = url;
    this.loadCount += 1;
    this.currentTime = position;
    this.isPlaying = false;
  };
  play = (): void => {
    this.isPlaying = true;
  };
  pause = (): void => {
    this.isPlaying = false;
  };
  seek = (position: number): void => {
    this.currentTime = position;
  };
  setSpeed = (speed: number): void => {
    this.speed = speed;
  };
  setVolume = (volume: number): void => {
    this.volume = volume;
  };
  unload = (): void => {
    this.url = null;
    this.isPlaying = false;
  };
  position = (): number => this.currentTime;
  listen = (report: (event: AudioReport) => void): (() => void) => {
    this.#report = report;
    return () => {
      this.#report = () => {};
    };
  };

  /** Reports an event of the element. */
  emit(event: AudioReport): void {
    this.#report(event);
  }

  /** Reports that the audio is loaded, and that it plays if it was requested. */
  startPlaying(): void {
    this.emit({ type: 'ready' });
    if (this.isPlaying) this.emit({ type: 'started' });
  }

  /** Reports a position, in seconds. */
  advanceTo(position: number): void {
    this.currentTime = position;
    this.emit({ type: 'time', position });
  }
}
