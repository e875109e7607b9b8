import type { Page } from '@playwright/test';

/** What an ear at the page's sound has heard. Moments in seconds of its own clock. */
interface Ear {
  /** When sound began after silence. */
  begun: number[];
  clicks: number[];
  /** Its own clock, and the element's place then. */
  places: [now: number, place: number][];
}

declare global {
  interface Window {
    ear?: Ear;
  }
}

/** Runs where the sound is made, sample by sample: no busy page delays it. */
const listener = `registerProcessor('ear', class extends AudioWorkletProcessor {
  silent = 0; calm = 0;
  process([[samples]], [[out]]) {
    if (!samples) { this.silent += 128; return true; }
    out?.set(samples);
    samples.forEach((sample, index) => {
      const at = (currentFrame + index) / sampleRate;
      const loud = Math.abs(sample);
      if (loud > 0.002 && this.silent > sampleRate / 50) this.port.postMessage({ what: 'begun', at });
      if (loud > 0.1 && this.calm > sampleRate / 10) this.port.postMessage({ what: 'clicks', at });
      this.silent = loud > 0.002 ? 0 : this.silent + 1;
      this.calm = loud > 0.1 ? 0 : this.calm + 1;
    });
    return true;
  }
})`;

/** Puts an ear to what comes out of the page's media element. Needs a context without a content-security policy. */
export async function putEar(page: Page): Promise<void> {
  await page.evaluate(async (code) => {
    const element = [...(window.heardElements ?? [])].at(-1);
    if (!element) throw new Error('Nothing plays.');
    const ear: Ear = { begun: [], clicks: [], places: [] };
    window.ear = ear;
    const context = new AudioContext({ sampleRate: 48_000 });
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    const node = new AudioWorkletNode(context, 'ear');
    node.port.onmessage = ({ data }) => ear[data.what === 'clicks' ? 'clicks' : 'begun'].push(data.at);
    context.createMediaElementSource(element).connect(node).connect(context.destination);
    const look = () => {
      if (!element.paused) ear.places.push([context.currentTime, element.currentTime]);
      requestAnimationFrame(look);
    };
    look();
  }, listener);
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A click as it was heard. Seconds. */
export interface HeardClick {
  /** How long after sound began; the sound may have begun before an earlier click. */
  after: number;
  /** The element's place at that moment. */
  place: number;
}

/** From now on: waits for the click at a place, and until enough was seen of the element's clock around it. Seconds. */
export async function nextClick(page: Page, at: number): Promise<() => Promise<HeardClick>> {
  const since = await page.evaluate(() => window.ear?.clicks.length ?? 0);
  return async () => {
    const found = await page.waitForFunction(
      ({ since, at }) => {
        const { begun, clicks, places } = window.ear ?? { begun: [], clicks: [], places: [] };
        for (const click of clicks.slice(since)) {
          const near = places.filter(([now]) => now > click - 0.15 && now < click + 0.3);
          const isSeen = (places.at(-1)?.[0] ?? 0) > click + 0.3;
          // Clicks are more than a second apart: what was heard before the seek is another one.
          if (isSeen && near.some(([, place]) => Math.abs(place - at) < 0.8))
            return { click, near, begun: begun.filter((moment) => moment < click).at(-1) ?? Number.NaN };
        }
        return null;
      },
      { since, at },
    );
    const heard = await found.jsonValue();
    if (!heard) throw new Error('No click was heard.');
    const { click, near, begun } = heard;
    return { after: click - begun, place: click + median(near.map(([now, place]) => place - now)) };
  };
}
