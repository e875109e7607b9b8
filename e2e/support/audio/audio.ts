import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expect } from '../browser.ts';

declare global {
  interface Window {
    /** The media element that was played last. */
    mediaElement?: HTMLMediaElement;
    /** Recorded by `recordSeeks`. */
    seekPositions?: number[];
    /** Counted by `countInterruptions`. */
    interruptions?: number;
    /** Recorded by `recordSpeeds`. */
    playbackSpeeds?: number[];
  }
  interface HTMLMediaElement {
    /** Chromium's count of decoded bytes. */
    readonly webkitAudioDecodedByteCount: number;
    captureStream: () => MediaStream;
  }
}

/** The state of the page's media element. Positions in seconds. */
export interface AudioState {
  position: number;
  paused: boolean;
  speed: number;
  volume: number;
  decodedBytes: number;
  source: string;
}

const initialState: AudioState = {
  position: 0,
  paused: true,
  speed: 1,
  volume: 1,
  decodedBytes: 0,
  source: '',
};

/** Makes the pages of a context remember the media element that plays. Call it before the first page opens. */
export async function trackMediaElement(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      window.mediaElement = this;
      return play.call(this);
    };
  });
}

/** Returns the audio state of a page; the initial one where no audio was played yet. */
export async function getAudioState(page: Page): Promise<AudioState> {
  const state = await page.evaluate(() => {
    const element = window.mediaElement;
    return element
      ? {
          position: element.currentTime,
          paused: element.paused,
          speed: element.playbackRate,
          volume: element.volume,
          decodedBytes: element.webkitAudioDecodedByteCount,
          source: element.currentSrc,
        }
      : null;
  });
  return state ?? initialState;
}

/** Waits until audio is decoded and its position advances. Returns the position, in seconds. */
export async function expectPlaying(page: Page): Promise<number> {
  let last = (await getAudioState(page)).position;
  await expect
    .poll(async () => {
      const { position, paused, decodedBytes } = await getAudioState(page);
      const isAdvancing = !paused && decodedBytes > 0 && position > last;
      last = position;
      return isAdvancing;
    }, 'the audio plays')
    .toBe(true);
  return last;
}

/** Waits until audio is paused. Returns the position, in seconds. */
export async function expectPaused(page: Page): Promise<number> {
  await expect
    .poll(async () => (await getAudioState(page)).paused, { message: 'the audio is paused' })
    .toBe(true);
  return (await getAudioState(page)).position;
}

/** Waits until the audio has passed a position, in seconds. */
export async function expectPositionPast(page: Page, seconds: number): Promise<void> {
  await expect
    .poll(async () => (await getAudioState(page)).position, {
      timeout: 60_000,
      message: `past ${seconds} s`,
    })
    .toBeGreaterThan(seconds);
}

/** Waits until a sample of the audio output is louder than a level, 0 to 1. */
export async function expectAudible(page: Page, level: number): Promise<void> {
  await page.evaluate(async (level) => {
    const element = window.mediaElement;
    if (!element) throw new Error('No audio plays.');
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(element.captureStream()).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    do {
      await new Promise(requestAnimationFrame);
      analyser.getFloatTimeDomainData(samples);
    } while (samples.every((sample) => Math.abs(sample) <= level));
    await context.close();
  }, level);
}

/**
 * Waits until audio has played, and returns where the current stretch started, in seconds: after the load or the last seek.
 * The browser records it, so the result does not depend on when the test reads it.
 */
export async function getPlaybackStart(page: Page): Promise<number> {
  const read = () =>
    page.evaluate(() => {
      const { played, currentTime = 0 } = window.mediaElement ?? {};
      let position = Number.NaN;
      for (let index = 0; index < (played?.length ?? 0); index += 1) {
        const start = played?.start(index) ?? 0;
        if (start <= currentTime) position = start;
      }
      return position;
    });
  await expect.poll(read, { message: 'audio has played' }).not.toBeNaN();
  return read();
}

/** Starts recording where the audio seeks to, in seconds. Returns a function that reads the recording. */
export async function recordSeeks(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const positions: number[] = [];
    window.seekPositions = positions;
    const element = window.mediaElement;
    element?.addEventListener('seeking', () => positions.push(element.currentTime));
  });
  return () => page.evaluate(() => window.seekPositions ?? []);
}

/** Moves the player's slider to a position, in seconds, and waits until the audio has seeked, unless it is there already. */
export async function seekTo(page: Page, slider: Locator, seconds: number): Promise<void> {
  if (Number(await slider.inputValue()) === seconds) return;
  const getSeeks = await recordSeeks(page);
  await slider.fill(String(seconds));
  // Without a release the slider applies its value after a delay.
  await slider.dispatchEvent('pointerup');
  const hasSeeked = async () => (await getSeeks()).some((position) => Math.abs(position - seconds) < 1);
  await expect.poll(hasSeeked, { message: `the audio seeks to ${seconds} s` }).toBe(true);
}

/** Starts recording the playback speeds. Returns a function that reads the recording. */
export async function recordSpeeds(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const speeds: number[] = [];
    window.playbackSpeeds = speeds;
    const element = window.mediaElement;
    element?.addEventListener('ratechange', () => {
      if (speeds.at(-1) !== element.playbackRate) speeds.push(element.playbackRate);
    });
  });
  return () => page.evaluate(() => window.playbackSpeeds ?? []);
}

/**
 * Starts counting how often the audio pauses, is reloaded or stalls for missing data. A machine too busy to play what is
 * buffered does not count. Returns a function that reads the count.
 */
export async function countInterruptions(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    window.interruptions = 0;
    const count = () => {
      window.interruptions = (window.interruptions ?? 0) + 1;
    };
    const element = window.mediaElement;
    if (!element) throw new Error('No audio plays.');
    for (const event of ['pause', 'emptied']) element.addEventListener(event, count);
    element.addEventListener('waiting', () => {
      const { buffered, currentTime } = element;
      // The browser estimates the end of a buffered range from bytes, hence the margin.
      const isBuffered = (_: unknown, index: number) =>
        buffered.start(index) <= currentTime && buffered.end(index) > currentTime + 3;
      if (!Array.from({ length: buffered.length }, isBuffered).includes(true)) count();
    });
  });
  return () => page.evaluate(() => window.interruptions ?? 0);
}

const UNLOAD_KEY = 'e2e-unload';

/** What was true of the audio when a page unloaded; the position in seconds. */
interface UnloadState {
  position: number;
  /** Since `countInterruptions`. */
  interruptions: number;
}

/** Records the state of the audio when the page unloads. Returns a function that reads it from a later page of the same origin. */
export async function recordUnload(page: Page): Promise<() => Promise<UnloadState>> {
  await page.evaluate((key) => {
    addEventListener('pagehide', () => {
      const { mediaElement, interruptions = 0 } = window;
      localStorage.setItem(key, JSON.stringify({ position: mediaElement?.currentTime, interruptions }));
    });
  }, UNLOAD_KEY);
  return () => page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '{}'), UNLOAD_KEY);
}
