import type { Page } from '@playwright/test';

/** Events in the audio output of a page. Times are seconds of the probe's audio context. */
interface AudioProbe {
  /** Where audio started after silence. */
  starts: number[];
  clicks: number[];
  /** Where the audio thread or the page was blocked for longer than `MAX_GAP_MS`. */
  gaps: number[];
  /** The position of the media element at a time of the context. */
  positions: [time: number, position: number][];
}

declare global {
  interface Window {
    audioProbe?: AudioProbe;
  }
}

/** The audio thread and the page's frames run many times within this period, unless the machine is overloaded. */
const MAX_GAP_MS = 150;

// Runs on the audio thread, which a busy page does not delay.
const workletSource = `registerProcessor('audio-probe', class extends AudioWorkletProcessor {
  silent = 0; calm = 0; lastRun = Date.now();
  process([[samples]], [[out]]) {
    const now = Date.now();
    if (now - this.lastRun > ${MAX_GAP_MS}) this.port.postMessage({ event: 'gaps', at: currentTime });
    this.lastRun = now;
    if (!samples) { this.silent += 128; return true; }
    out?.set(samples);
    samples.forEach((sample, index) => {
      const at = (currentFrame + index) / sampleRate;
      const loud = Math.abs(sample);
      if (loud > 0.002 && this.silent > sampleRate / 50) this.port.postMessage({ event: 'starts', at });
      if (loud > 0.1 && this.calm > sampleRate / 10) this.port.postMessage({ event: 'clicks', at });
      this.silent = loud > 0.002 ? 0 : this.silent + 1;
      this.calm = loud > 0.1 ? 0 : this.calm + 1;
    });
    return true;
  }
})`;

/** Attaches a probe to the page's media element. The context must bypass the content security policy. */
export async function attachAudioProbe(page: Page): Promise<void> {
  await page.evaluate(
    async ({ source, maxGapMs }) => {
      const element = window.mediaElement;
      if (!element) throw new Error('No audio plays.');
      const probe: AudioProbe = { starts: [], clicks: [], gaps: [], positions: [] };
      window.audioProbe = probe;
      const context = new AudioContext({ sampleRate: 48_000 });
      await context.audioWorklet.addModule(
        URL.createObjectURL(new Blob([source], { type: 'text/javascript' })),
      );
      const node = new AudioWorkletNode(context, 'audio-probe');
      node.port.onmessage = ({ data }) => {
        const { event, at }: { event: 'starts' | 'clicks' | 'gaps'; at: number } = data;
        probe[event].push(at);
      };
      context.createMediaElementSource(element).connect(node).connect(context.destination);
      let lastFrame = performance.now();
      const sample = () => {
        if (performance.now() - lastFrame > maxGapMs) probe.gaps.push(context.currentTime);
        lastFrame = performance.now();
        if (!element.paused) probe.positions.push([context.currentTime, element.currentTime]);
        requestAnimationFrame(sample);
      };
      sample();
    },
    { source: workletSource, maxGapMs: MAX_GAP_MS },
  );
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A click in the audio output. Times in seconds. */
export interface DetectedClick {
  /** From the start of audio to the click; the audio may have started before an earlier click. */
  afterStart: number;
  /** The position of the media element at the click. */
  position: number;
  /** Whether the machine was too busy to play or to watch; the times are then meaningless. */
  isDisturbed: boolean;
}

/**
 * Starts watching for the click at a position, in seconds.
 *
 * @returns Waits until the click was played and the element's clock was sampled around it.
 */
export async function watchForClick(page: Page, at: number): Promise<() => Promise<DetectedClick>> {
  const since = await page.evaluate(() => window.audioProbe?.clicks.length ?? 0);
  return async () => {
    const handle = await page.waitForFunction(
      ({ since, at }) => {
        const { starts = [], clicks = [], gaps = [], positions = [] } = window.audioProbe ?? {};
        for (const click of clicks.slice(since)) {
          const samples = positions.filter(([time]) => time > click - 0.15 && time < click + 0.3);
          const isSampled = (positions.at(-1)?.[0] ?? 0) > click + 0.3;
          // Clicks are more than a second apart, so one that played before the seek does not match.
          if (isSampled && samples.some(([, position]) => Math.abs(position - at) < 0.8)) {
            const isDisturbed = gaps.some((gap) => gap > click - 3 && gap < click + 0.3);
            const start = starts.filter((time) => time < click).at(-1) ?? Number.NaN;
            return { click, samples, start, isDisturbed };
          }
        }
        return null;
      },
      { since, at },
    );
    const detected = await handle.jsonValue();
    if (!detected) throw new Error('No click was detected.');
    const { click, samples, start, isDisturbed } = detected;
    const position = click + median(samples.map(([time, position]) => position - time));
    return { afterStart: click - start, position, isDisturbed };
  };
}
