import type { PlayerEvent } from '../model/state.ts';

/** An event of the audio element, or how far (in seconds) the audio is loaded without a gap. */
export type AudioReport =
  | PlayerEvent<'ready' | 'started' | 'stalled' | 'elementPaused' | 'ended' | 'failed' | 'time'>
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

// `MediaError` codes.
const MEDIA_ERR_ABORTED = 1;
const MEDIA_ERR_NETWORK = 2;

/** Browsers round the position of a seek down: Chromium to microseconds, Firefox to milliseconds. */
const ROUNDING_SECONDS = 0.005;

/** Returns how far the audio is loaded without a gap from a position; seconds. */
function getBufferedEnd(ranges: TimeRanges, position: number): number {
  for (let index = 0; index < ranges.length; index += 1) {
    if (ranges.start(index) <= position + 0.5 && position <= ranges.end(index)) return ranges.end(index);
  }
  return position;
}

/** Returns whether the element has data and plays it, as HTML defines it. */
const isSounding = ({ paused, seeking, readyState }: HTMLAudioElement): boolean =>
  !paused && !seeking && readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;

/** Creates the audio port of an HTML media element. No other file uses the element. */
export function createHtmlAudio(element: HTMLAudioElement = new Audio()): AudioPort {
  element.preload = 'auto';
  element.preservesPitch = true;
  let report: (event: AudioReport) => void = () => {};
  // Before its metadata is loaded the element ignores seeks, so the start position is stored here.
  let startPosition: number | null = null;
  let seekPosition = 0;
  let isWaiting = false;

  const seek = (position: number) => {
    seekPosition = position;
    element.currentTime = position;
  };
  // Just before the position of a seek is the sentence or page before.
  const getPosition = () =>
    Math.abs(element.currentTime - seekPosition) < ROUNDING_SECONDS ? seekPosition : element.currentTime;
  const handlePlayRejection = (reason: unknown) => {
    if (reason instanceof DOMException && reason.name === 'NotAllowedError')
      report({ type: 'failed', error: 'blocked' });
  };
  const reportBuffered = () =>
    report({ type: 'buffered', to: getBufferedEnd(element.buffered, element.currentTime) });
  const handlers: { [Name in keyof HTMLMediaElementEventMap]?: () => void } = {
    loadedmetadata: () => {
      if (startPosition) seek(startPosition);
      startPosition = null;
      report({ type: 'ready' });
    },
    // `playing` and `pause` may arrive after the next call has undone what they report.
    playing: () => {
      isWaiting = false;
      if (!element.paused) report({ type: 'started' });
    },
    waiting: () => {
      isWaiting = true;
      report({ type: 'stalled' });
    },
    pause: () => {
      // The end of the audio fires `pause` too.
      if (element.paused && !element.ended) report({ type: 'elementPaused' });
    },
    ended: () => report({ type: 'ended' }),
    timeupdate: () => {
      // Not every `waiting` is followed by `playing` where the audio plays on.
      if (isWaiting && isSounding(element)) handlers.playing?.();
      if (startPosition === null) report({ type: 'time', position: getPosition() });
    },
    progress: reportBuffered,
    suspend: reportBuffered,
    seeked: reportBuffered,
    error: () => {
      const code = element.error?.code;
      if (code && code !== MEDIA_ERR_ABORTED)
        report({ type: 'failed', error: code === MEDIA_ERR_NETWORK ? 'network' : 'unavailable' });
    },
  };

  return {
    load: (url, position) => {
      startPosition = position;
      isWaiting = false;
      element.src = url;
    },
    play: () => {
      Promise.resolve(element.play()).catch(handlePlayRejection);
    },
    pause: () => element.pause(),
    seek: (position) => {
      if (startPosition === null) seek(position);
      else startPosition = position;
    },
    setSpeed: (speed) => {
      // Loading another audio resets the rate to the default.
      element.defaultPlaybackRate = speed;
      element.playbackRate = speed;
    },
    setVolume: (volume) => {
      element.volume = volume;
    },
    unload: () => {
      startPosition = null;
      element.pause();
      element.removeAttribute('src');
      element.load();
    },
    position: () => startPosition ?? getPosition(),
    listen: (listener) => {
      report = listener;
      const listeners = new AbortController();
      for (const [name, handler] of Object.entries(handlers))
        element.addEventListener(name, handler, { signal: listeners.signal });
      return () => {
        report = () => {};
        listeners.abort();
      };
    },
  };
}
