import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';

declare global {
  interface Window {
    /** Every media element that was ever asked to play, last one last. */
    heardElements?: Set<HTMLMediaElement>;
    /** Where the sound jumped to, since somebody asked. */
    soundJumps?: number[];
    /** How often the sound stopped or ran dry, since somebody asked. */
    soundPauses?: number;
    /** The speeds that the sound had, since somebody asked. */
    soundSpeeds?: number[];
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
      // The player waits 8 s for sound that hangs before it begins anew.
      { message: 'the audio plays on', timeout: 30_000 },
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
    .poll(async () => (await soundOf(page)).position, { timeout: 60_000, message: `past ${seconds} s` })
    .toBeGreaterThan(seconds);
}

/** Waits until it is not silence that plays: what a listener would hear is louder than a level, 0 to 1, taken beside the playing. */
export async function expectLoud(page: Page, level: number): Promise<void> {
  await page.evaluate(async (enough) => {
    const element = [...(window.heardElements ?? [])].at(-1);
    if (!element) throw new Error('Nothing plays.');
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(element.captureStream()).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    do {
      await new Promise(requestAnimationFrame);
      analyser.getFloatTimeDomainData(samples);
    } while (samples.every((sample) => Math.abs(sample) <= enough));
    await context.close();
  }, level);
}

/**
 * Where what sounds on a page began, in seconds: since it was loaded, or since it last jumped to where nothing had been heard.
 * The browser writes it down itself, so it is the same however late somebody looks.
 */
export async function begunAt(page: Page): Promise<number> {
  const read = () =>
    page.evaluate(() => {
      const { played, currentTime = 0 } = [...(window.heardElements ?? [])].at(-1) ?? {};
      let begun = Number.NaN;
      for (let index = 0; index < (played?.length ?? 0); index += 1) {
        const start = played?.start(index) ?? 0;
        if (start <= currentTime) begun = start;
      }
      return begun;
    });
  await expect.poll(read, { message: 'the audio has begun' }).not.toBeNaN();
  return read();
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

/** Goes to a place by the player's slider, and waits until the sound went there, where it is not there already. Seconds. */
export async function seekTo(page: Page, slider: Locator, seconds: number): Promise<void> {
  // A slider that shows the place takes no other: it is there.
  if (Number(await slider.inputValue()) === seconds) return;
  const jumps = await jumpsOf(page);
  await slider.fill(String(seconds));
  // Let go: a slider that only rests counts after a while, which could come after what the story does next.
  await slider.dispatchEvent('pointerup');
  const jumped = async () => (await jumps()).some((place) => Math.abs(place - seconds) < 1);
  await expect.poll(jumped, { message: `the sound goes to ${seconds} s` }).toBe(true);
}

/** Writes down from now on which speeds a page's sound has. Out: those so far. */
export async function speedsOf(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const speeds: number[] = [];
    window.soundSpeeds = speeds;
    const element = [...(window.heardElements ?? [])].at(-1);
    element?.addEventListener('ratechange', () => {
      if (speeds.at(-1) !== element.playbackRate) speeds.push(element.playbackRate);
    });
  });
  return () => page.evaluate(() => window.soundSpeeds ?? []);
}

/**
 * Counts from now on how often a page's sound stops or runs dry. A machine too busy to play what has come is not dry. Out: how
 * often so far.
 */
export async function pausesOf(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    window.soundPauses = 0;
    const count = () => {
      window.soundPauses = (window.soundPauses ?? 0) + 1;
    };
    const element = [...(window.heardElements ?? [])].at(-1);
    if (!element) throw new Error('Nothing plays.');
    for (const event of ['pause', 'emptied']) element.addEventListener(event, count);
    element.addEventListener('waiting', () => {
      const { buffered, currentTime } = element;
      // The browser guesses from bytes how far it is loaded; less than this it may not be.
      const isThere = (_: unknown, index: number) =>
        buffered.start(index) <= currentTime && buffered.end(index) > currentTime + 3;
      if (!Array.from({ length: buffered.length }, isThere).includes(true)) count();
    });
  });
  return () => page.evaluate(() => window.soundPauses ?? 0);
}

const leftKey = 'story-left';

/** Writes down where a page's sound is at the moment the page is left. Out: tells it once another page of the same origin is there; seconds. */
export async function placeWhenLeft(page: Page): Promise<() => Promise<number>> {
  await page.evaluate((key) => {
    addEventListener('pagehide', () => {
      const element = [...(window.heardElements ?? [])].at(-1);
      localStorage.setItem(key, String(element?.currentTime));
    });
  }, leftKey);
  return () => page.evaluate((key) => Number(localStorage.getItem(key) ?? Number.NaN), leftKey);
}
