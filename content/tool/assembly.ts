import type { Sound } from './wav.ts';

/** Seconds of silence at full pace: at the beginning, at the end, and between two sentences by what separates them. */
export const pauses = { lead: 0.3, tail: 0.8, sentence: 0.35, paragraph: 0.7, section: 1.1 } as const;

const MAX_INNER_PAUSE_SECONDS = 0.4;
/** dB below the loudest window of the sentence under which a window counts as silence. */
const silenceThresholds = { start: -39, end: -42, within: -38 };
const WINDOW_SECONDS = 0.005;
/** A shorter run of loud windows is noise of the synthesizer, not speech. */
const MIN_SPEECH_WINDOWS = 3;
const marginSeconds = { before: 0.009, after: 0.035 };
const fadeSeconds = { in: 0.004, out: 0.012 };

/** The position of a sentence in the narration, in seconds. */
export interface Span {
  start: number;
  end: number;
}

/** Returns the level of each window in dB below the loudest one. */
function measureWindows({ rate, samples }: Sound): number[] {
  const size = Math.round(rate * WINDOW_SECONDS);
  const powers: number[] = [];
  for (let offset = 0; offset < samples.length; offset += size) {
    const window = samples.subarray(offset, offset + size);
    powers.push(window.reduce((sum, sample) => sum + sample * sample, 0) / window.length);
  }
  const loudest = Math.max(...powers, 1e-12);
  return powers.map((power) => 10 * Math.log10(Math.max(power, 1e-14) / loudest));
}

/** Returns for each window whether it holds speech. */
function detectSpeech(sound: Sound, threshold: number): boolean[] {
  const windows = measureWindows(sound).map((level) => level > threshold);
  for (let w = 0; w < windows.length; ) {
    let end = w;
    while (windows[end]) end += 1;
    if (end - w < MIN_SPEECH_WINDOWS) windows.fill(false, w, end);
    w = Math.max(end, w + 1);
  }
  return windows;
}

/** Fades samples in and out in place, so that a cut does not click. */
function fadeEdges(samples: Float32Array, rate: number): Float32Array {
  const fadeIn = Math.round(fadeSeconds.in * rate);
  const fadeOut = Math.round(fadeSeconds.out * rate);
  for (let i = 0; i < Math.min(fadeIn, samples.length); i += 1) samples[i] = ((samples[i] ?? 0) * i) / fadeIn;
  for (let i = 0; i < Math.min(fadeOut, samples.length); i += 1) {
    const last = samples.length - 1 - i;
    samples[last] = ((samples[last] ?? 0) * i) / fadeOut;
  }
  return samples;
}

function concatenate(chunks: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    result.set(chunk, offset);
    offset += chunk.length;
  }
  return result;
}

/** Cuts inner pauses of a trimmed sound in the middle, down to `MAX_INNER_PAUSE_SECONDS`. */
function shortenPauses(sound: Sound): Sound {
  const { rate, samples } = sound;
  const size = Math.round(rate * WINDOW_SECONDS);
  const max = Math.round(MAX_INNER_PAUSE_SECONDS / WINDOW_SECONDS);
  const speech = detectSpeech(sound, silenceThresholds.within);
  const chunks: Float32Array[] = [];
  let from = 0;
  for (let w = 0; w < speech.length; ) {
    let end = w;
    while (speech[end] === false) end += 1;
    if (end - w > max && end < speech.length) {
      chunks.push(samples.subarray(from, (w + Math.ceil(max / 2)) * size));
      from = (end - Math.floor(max / 2)) * size;
    }
    w = Math.max(end, w + 1);
  }
  chunks.push(samples.subarray(from));
  return { rate, samples: concatenate(chunks) };
}

/**
 * Removes the silence around a spoken sentence and shortens long pauses inside it.
 *
 * @throws Error when the sound holds no speech.
 */
export function trim(sound: Sound): Sound {
  const { rate, samples } = sound;
  const size = Math.round(rate * WINDOW_SECONDS);
  const first = detectSpeech(sound, silenceThresholds.start).indexOf(true);
  const last = detectSpeech(sound, silenceThresholds.end).lastIndexOf(true);
  const isSilent = !samples.some((sample) => Math.abs(sample) > 0.02) || first < 0 || last < first;
  if (isSilent) throw new Error('The synthesizer produced silence');
  const from = Math.max(0, first * size - Math.round(marginSeconds.before * rate));
  const to = Math.min(samples.length, (last + 1) * size + Math.round(marginSeconds.after * rate));
  const trimmed = shortenPauses({ rate, samples: samples.slice(from, to) });
  return { rate, samples: fadeEdges(trimmed.samples, rate) };
}

/**
 * Concatenates trimmed sentences with pauses.
 *
 * @param gaps - seconds of silence before each sentence
 * @returns the narration, and the position of each sentence in it, exact to the sample
 */
export function join(sentences: readonly Sound[], gaps: readonly number[]): { sound: Sound; spans: Span[] } {
  const rate = sentences[0]?.rate;
  if (rate === undefined) throw new Error('There are no sentences to join');
  const chunks: Float32Array[] = [];
  const spans: Span[] = [];
  let length = 0;
  const append = (samples: Float32Array): void => {
    chunks.push(samples);
    length += samples.length;
  };
  for (const [i, { samples }] of sentences.entries()) {
    append(new Float32Array(Math.round((gaps[i] ?? pauses.sentence) * rate)));
    const start = length / rate;
    append(samples);
    spans.push({ start, end: length / rate });
  }
  append(new Float32Array(Math.round(pauses.tail * rate)));
  return { sound: { rate, samples: concatenate(chunks) }, spans };
}
