/** Trims spoken sentences and joins them with pauses into one narration whose times are known to the sample. */
import type { Sound } from './narrate-wav.ts';

/** Seconds of silence at full pace: before everything, after everything, and between two sentences by what stands between them. */
export const pauses = { lead: 0.3, tail: 0.8, sentence: 0.35, paragraph: 0.7, section: 1.1 } as const;

/** A pause inside a sentence is never longer than this. */
const longestBreath = 0.4;
/** Below these, next to the loudest moment of the sentence, nothing is heard at its beginning, at its end or within. */
const quiet = { start: -39, end: -42, within: -38 };
const windowSeconds = 0.005;
/** What is louder for fewer windows than this is a speck of the synthesiser's noise, not speech. */
const shortestSound = 3;
const margin = { before: 0.009, after: 0.035 };
const fade = { in: 0.004, out: 0.012 };

/** Where a sentence stands in the narration, in seconds. */
export interface Span {
  start: number;
  end: number;
}

/** In: a sound and a threshold in dB below its loudest window. Out: for each window, whether speech is heard in it. */
function heard(sound: Sound, threshold: number): boolean[] {
  const loud = levelsOf(sound).map((level) => level > threshold);
  for (let w = 0; w < loud.length; ) {
    let end = w;
    while (loud[end]) end += 1;
    if (end - w < shortestSound) loud.fill(false, w, end);
    w = Math.max(end, w + 1);
  }
  return loud;
}

/** In: a sound. Out: the level of each window, in dB below the loudest one. */
function levelsOf({ rate, samples }: Sound): number[] {
  const size = Math.round(rate * windowSeconds);
  const powers: number[] = [];
  for (let at = 0; at < samples.length; at += size) {
    const window = samples.subarray(at, at + size);
    powers.push(window.reduce((sum, s) => sum + s * s, 0) / window.length);
  }
  const loudest = Math.max(...powers, 1e-12);
  return powers.map((power) => 10 * Math.log10(Math.max(power, 1e-14) / loudest));
}

/** Sound faded in and out, so that no cut clicks. In: samples and their rate. Out: the same samples, changed in place. */
function soften(samples: Float32Array, rate: number): Float32Array {
  const into = Math.round(fade.in * rate);
  const out = Math.round(fade.out * rate);
  for (let i = 0; i < Math.min(into, samples.length); i += 1) samples[i] = ((samples[i] ?? 0) * i) / into;
  for (let i = 0; i < Math.min(out, samples.length); i += 1) {
    const at = samples.length - 1 - i;
    samples[at] = ((samples[at] ?? 0) * i) / out;
  }
  return samples;
}

/** Cuts what is over `longestBreath` out of the middle of every inner pause. In and out: a trimmed sound. */
function shortenBreaths(sound: Sound): Sound {
  const { rate, samples } = sound;
  const size = Math.round(rate * windowSeconds);
  const most = Math.round(longestBreath / windowSeconds);
  const loud = heard(sound, quiet.within);
  const kept: Float32Array[] = [];
  let from = 0;
  for (let w = 0; w < loud.length; ) {
    let end = w;
    while (loud[end] === false) end += 1;
    if (end - w > most && end < loud.length) {
      kept.push(samples.subarray(from, (w + Math.ceil(most / 2)) * size));
      from = (end - Math.floor(most / 2)) * size;
    }
    w = Math.max(end, w + 1);
  }
  kept.push(samples.subarray(from));
  return { rate, samples: concatenate(kept) };
}

function concatenate(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** In: a spoken sentence. Out: the same without the silence around it and with short breaths; throws when nothing is heard. */
export function trim(sound: Sound): Sound {
  const { rate, samples } = sound;
  const size = Math.round(rate * windowSeconds);
  if (!samples.some((sample) => Math.abs(sample) > 0.02)) throw new Error('The synthesiser said nothing');
  const first = heard(sound, quiet.start).indexOf(true);
  const last = heard(sound, quiet.end).lastIndexOf(true);
  if (first < 0 || last < first) throw new Error('The synthesiser said nothing');
  const from = Math.max(0, first * size - Math.round(margin.before * rate));
  const to = Math.min(samples.length, (last + 1) * size + Math.round(margin.after * rate));
  const short = shortenBreaths({ rate, samples: samples.slice(from, to) });
  return { rate, samples: soften(short.samples, rate) };
}

/** In: the trimmed sentences and, for each, the pause before it. Out: the narration and where each sentence stands in it. */
export function join(sentences: readonly Sound[], gaps: readonly number[]): { sound: Sound; spans: Span[] } {
  const rate = sentences[0]?.rate;
  if (rate === undefined) throw new Error('There is nothing to join');
  const parts: Float32Array[] = [];
  const spans: Span[] = [];
  let at = 0;
  const add = (samples: Float32Array): void => {
    parts.push(samples);
    at += samples.length;
  };
  for (const [i, { samples }] of sentences.entries()) {
    add(new Float32Array(Math.round((gaps[i] ?? pauses.sentence) * rate)));
    const start = at / rate;
    add(samples);
    spans.push({ start, end: at / rate });
  }
  add(new Float32Array(Math.round(pauses.tail * rate)));
  return { sound: { rate, samples: concatenate(parts) }, spans };
}
