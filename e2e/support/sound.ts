import { type BrowserContext, expect, type Page } from '@playwright/test';

declare global {
  interface Window {
    /** Every media element that was ever asked to play, last one last. */
    heardElements?: Set<HTMLMediaElement>;
    /** Where the sound jumped to, since somebody asked. */
    soundJumps?: number[];
    /** How often the sound stopped or ran dry, since somebody asked. */
    soundPauses?: number;
  }
  interface HTMLMediaElement {
    /** Chromium's count of bytes that went through the decoder. */
    readonly webkitAudioDecodedByteCount: number;
    captureStream: () => MediaStream;
  }
}

/** What the page's media element says of itself. Positions in seconds. */
export interface Sound {
  position: number;
  paused: boolean;
  speed: number;
  volume: number;
  decodedBytes: number;
  source: string;
}

const silence: Sound = { position: 0, paused: true, speed: 1, volume: 1, decodedBytes: 0, source: '' };

/** Makes a context's pages remember which media elements play; they play as ever. To be called before the first page. */
export async function listenIn(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    window.heardElements = new Set();
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      window.heardElements?.delete(this);
      window.heardElements?.add(this);
      return play.call(this);
    };
  });
}

/** What sounds on a page now; silence at 0 where nothing was played yet. */
export async function soundOf(page: Page): Promise<Sound> {
  const found = await page.evaluate(() => {
    const element = [...(window.heardElements ?? [])].at(-1);
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
  return found ?? silence;
}

/** Waits until a page plays: its place moves on and the decoder has had bytes. Out: the place it was seen at, in seconds. */
export async function expectSounding(page: Page): Promise<number> {
  let last = (await soundOf(page)).position;
  await expect
    .poll(
      async () => {
        const { position, paused, decodedBytes } = await soundOf(page);
        const moves = !paused && decodedBytes > 0 && position > last;
        last = position;
        return moves;
      },
      { message: 'the audio plays on', timeout: 15_000 },
    )
    .toBe(true);
  return last;
}

/** Waits until a page is silent. Out: the place it stands at, in seconds. */
export async function expectSilence(page: Page): Promise<number> {
  await expect.poll(async () => (await soundOf(page)).paused, { message: 'the audio is paused' }).toBe(true);
  return (await soundOf(page)).position;
}

/** Waits until a page's audio has passed a place, in seconds. */
export async function expectPast(page: Page, seconds: number): Promise<void> {
  await expect
    .poll(async () => (await soundOf(page)).position, { timeout: 20_000, message: `past ${seconds} s` })
    .toBeGreaterThan(seconds);
}

/** The loudest sample within about a second of what plays, 0 to 1: what a listener would hear, taken beside the playing. */
export async function loudnessOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const element = [...(window.heardElements ?? [])].at(-1);
    if (!element) return 0;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(element.captureStream()).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let loudest = 0;
    const until = performance.now() + 1_200;
    while (performance.now() < until) {
      await new Promise(requestAnimationFrame);
      analyser.getFloatTimeDomainData(samples);
      for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample));
    }
    await context.close();
    return loudest;
  });
}

/** Writes down from now on where a page's sound jumps to, in seconds. Out: what was written so far. */
export async function jumpsOf(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const jumps: number[] = [];
    window.soundJumps = jumps;
    const element = [...(window.heardElements ?? [])].at(-1);
    element?.addEventListener('seeking', () => jumps.push(element.currentTime));
  });
  return () => page.evaluate(() => window.soundJumps ?? []);
}

/** Counts from now on how often a page's sound stops or runs dry. Out: how often so far. */
export async function pausesOf(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    window.soundPauses = 0;
    const count = () => {
      window.soundPauses = (window.soundPauses ?? 0) + 1;
    };
    const element = [...(window.heardElements ?? [])].at(-1);
    for (const event of ['pause', 'waiting', 'emptied']) element?.addEventListener(event, count);
  });
  return () => page.evaluate(() => window.soundPauses ?? 0);
}
