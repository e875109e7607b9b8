import type { AudioPort, AudioReport } from './audio-port.ts';

const networkError = 2;
const abortedError = 1;

/** How far the audio is loaded without a gap from a position on. */
function loadedFrom(ranges: TimeRanges, position: number): number {
  for (let index = 0; index < ranges.length; index += 1) {
    if (ranges.start(index) <= position + 0.5 && position <= ranges.end(index)) return ranges.end(index);
  }
  return position;
}

/** The media element behind the port: the only file that knows it. */
export function createHtmlAudio(element: HTMLAudioElement = new Audio()): AudioPort {
  element.preload = 'auto';
  element.preservesPitch = true;
  let report: (event: AudioReport) => void = () => {};
  // Until the element knows its length it can be nowhere else than at 0: the place is kept here meanwhile.
  let awaited: number | null = null;

  const refused = (reason: unknown) => {
    if (reason instanceof DOMException && reason.name === 'NotAllowedError')
      report({ type: 'failed', error: 'blocked' });
  };
  const loaded = () => report({ type: 'buffered', to: loadedFrom(element.buffered, element.currentTime) });
  const hears: { [Name in keyof HTMLMediaElementEventMap]?: () => void } = {
    loadedmetadata: () => {
      if (awaited) element.currentTime = awaited;
      awaited = null;
      report({ type: 'ready' });
    },
    playing: () => report({ type: 'started' }),
    waiting: () => report({ type: 'stalled' }),
    pause: () => {
      // The end announces itself as a pause too.
      if (!element.ended) report({ type: 'elementPaused' });
    },
    ended: () => report({ type: 'ended' }),
    timeupdate: () => {
      if (awaited === null) report({ type: 'time', position: element.currentTime });
    },
    progress: loaded,
    suspend: loaded,
    seeked: loaded,
    error: () => {
      const code = element.error?.code;
      if (code && code !== abortedError)
        report({ type: 'failed', error: code === networkError ? 'network' : 'unavailable' });
    },
  };

  return {
    load: (url, position) => {
      awaited = position;
      // Which loads it.
      element.src = url;
    },
    play: () => {
      Promise.resolve(element.play()).catch(refused);
    },
    pause: () => element.pause(),
    seek: (position) => {
      if (awaited === null) element.currentTime = position;
      else awaited = position;
    },
    setSpeed: (speed) => {
      // Loading another audio goes back to the default rate.
      element.defaultPlaybackRate = speed;
      element.playbackRate = speed;
    },
    setVolume: (volume) => {
      element.volume = volume;
    },
    unload: () => {
      awaited = null;
      element.pause();
      element.removeAttribute('src');
      element.load();
    },
    position: () => awaited ?? element.currentTime,
    listen: (next) => {
      report = next;
      const names = Object.entries(hears);
      for (const [name, hear] of names) element.addEventListener(name, hear);
      return () => {
        report = () => {};
        for (const [name, hear] of names) element.removeEventListener(name, hear);
      };
    },
  };
}
