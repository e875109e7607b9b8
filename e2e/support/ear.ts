import type { Page } from '@playwright/test';

/** What an ear at the page's sound has heard. Moments in seconds of its own clock. */
interface Ear {
  /** When sound began after silence. */
  begun: number[];
  clicks: number[];
  /** When it could not listen, or the page not look, for longer than `deaf`. */
  gaps: number[];
  /** Its own clock, and the element's place then. */
  places: [now: number, place: number][];
}

declare global {
  interface Window {
    ear?: Ear;
  }
}

/** Sound is made, and the page drawn, many times in so long; milliseconds. */
const deaf = 150;

/** Runs where the sound is made, sample by sample: no busy page delays it. */
const listener = `registerProcessor('ear', class extends AudioWorkletProcessor {
  silent = 0; calm = 0; heard = Date.now();
  process([[samples]], [[out]]) {
    const now = Date.now();
    if (now - this.heard > ${deaf}) this.port.postMessage({ what: 'gaps', at: currentTime });
    this.heard = now;
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
  await page.evaluate(
    async ({ code, deaf }) => {
      const element = [...(window.heardElements ?? [])].at(-1);
      if (!element) throw new Error('Nothing plays.');
      const ear: Ear = { begun: [], clicks: [], gaps: [], places: [] };
      window.ear = ear;
      const context = new AudioContext({ sampleRate: 48_000 });
      await context.audioWorklet.addModule(
        URL.createObjectURL(new Blob([code], { type: 'text/javascript' })),
      );
      const node = new AudioWorkletNode(context, 'ear');
      node.port.onmessage = ({ data }) => {
        const { what, at }: { what: 'begun' | 'clicks' | 'gaps'; at: number } = data;
        ear[what].push(at);
      };
      context.createMediaElementSource(element).connect(node).connect(context.destination);
      let looked = performance.now();
      const look = () => {
        if (performance.now() - looked > deaf) ear.gaps.push(context.currentTime);
        looked = performance.now();
        if (!element.paused) ear.places.push([context.currentTime, element.currentTime]);
        requestAnimationFrame(look);
      };
      look();
    },
    { code: listener, deaf },
  );
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A click as it was heard. Seconds. */
export interface HeardClick {
  /** How long after sound began; the sound may have begun before an earlier click. */
  after: number;
  /** The element's place at that moment. */
  place: number;
  /** The machine had no time for sound or page meanwhile: what was heard says nothing of the player. */
  isDisturbed: boolean;
}

/** From now on: waits for the click at a place, and until enough was seen of the element's clock around it. Seconds. */
export async function nextClick(page: Page, at: number): Promise<() => Promise<HeardClick>> {
  const since = await page.evaluate(() => window.ear?.clicks.length ?? 0);
  return async () => {
    const found = await page.waitForFunction(
      ({ since, at }) => {
        const { begun, clicks, gaps, places } = window.ear ?? { begun: [], clicks: [], gaps: [], places: [] };
        for (const click of clicks.slice(since)) {
          const near = places.filter(([now]) => now > click - 0.15 && now < click + 0.3);
          const isSeen = (places.at(-1)?.[0] ?? 0) > click + 0.3;
          // Clicks are more than a second apart: what was heard before the seek is another one.
          if (isSeen && near.some(([, place]) => Math.abs(place - at) < 0.8)) {
            const isDisturbed = gaps.some((gap) => gap > click - 3 && gap < click + 0.3);
            const last = begun.filter((moment) => moment < click).at(-1) ?? Number.NaN;
            return { click, near, begun: last, isDisturbed };
          }
        }
        return null;
      },
      { since, at },
    );
    const heard = await found.jsonValue();
    if (!heard) throw new Error('No click was heard.');
    const { click, near, begun, isDisturbed } = heard;
    const place = click + median(near.map(([now, at]) => at - now));
    return { after: click - begun, place, isDisturbed };
  };
}
