import { describe, expect, it } from 'vitest';
import { join, pauses, trim } from './assembly.ts';
import { limitPeaks } from './mastering.ts';
import { getDuration } from './mp3.ts';
import { toMarkup, toSpokenText } from './speech.ts';

const rate = 16000;
/** Returns a low tone whose parts have the given seconds and amplitudes. */
const tone = (...parts: readonly (readonly [number, number])[]) => ({
  rate,
  samples: Float32Array.from(
    parts.flatMap(([seconds, level]) =>
      Array.from({ length: seconds * rate }, (_, i) => level * Math.sin(i / 8)),
    ),
  ),
});
const getSeconds = ({ samples }: { samples: Float32Array }): number => samples.length / rate;

describe('toSpokenText', () => {
  it.each([
    ['“You’re late,” he said.', "You're late, he said."],
    ['—¿Y Ramón? —preguntó Luis—, ¿duerme?', '¿Y Ramón? preguntó Luis, ¿duerme?'],
    ['Rain — then silence…', 'Rain, then silence...'],
  ])('converts %s', (printed, expected) => {
    expect(toSpokenText(printed)).toBe(expected);
  });
});

describe('toMarkup', () => {
  it('replaces whole words and phrases by their respelling and escapes the rest', () => {
    const respellings = { lead: 'led', 'to read': 'to reed' };
    expect(toMarkup('Lead & leader: lead to read.', respellings)).toBe('Lead &amp; leader: led to reed.');
  });
});

describe('trim', () => {
  it('cuts the silence at both ends down to a small margin', () => {
    expect(getSeconds(trim(tone([0.4, 0], [1, 0.5], [0.6, 0])))).toBeCloseTo(1.044, 1);
  });

  it('treats a short noise as silence', () => {
    expect(getSeconds(trim(tone([0.2, 0], [0.005, 0.02], [0.4, 0], [1, 0.5], [0.2, 0])))).toBeLessThan(1.1);
  });

  it('shortens a long inner pause and keeps a short one', () => {
    expect(getSeconds(trim(tone([1, 0.5], [0.9, 0], [1, 0.5])))).toBeCloseTo(2.4, 1);
    expect(getSeconds(trim(tone([1, 0.5], [0.3, 0], [1, 0.5])))).toBeCloseTo(2.3, 1);
  });

  it('refuses a silent sentence', () => {
    expect(() => trim(tone([1, 0.001]))).toThrow(/silence/);
  });
});

describe('join', () => {
  it('adds a pause before each sentence and silence at the end', () => {
    const { sound, spans } = join([tone([1, 0.5]), tone([0.5, 0.5])], [0.3, 0.7]);
    expect(spans).toEqual([
      { start: 0.3, end: 1.3 },
      { start: 2, end: 2.5 },
    ]);
    expect(getSeconds(sound)).toBeCloseTo(2.5 + pauses.tail, 6);
  });
});

describe('limitPeaks', () => {
  it('brings peaks under the ceiling and leaves other samples unchanged', () => {
    const samples = Float32Array.from({ length: 48000 }, (_, i) =>
      i === 24000 ? 0.9 : 0.3 * Math.sin(i / 20),
    );
    const limited = limitPeaks(samples, 0.6);
    expect(Math.max(...limited.map(Math.abs))).toBeLessThan(0.60001);
    expect(limited.subarray(0, 20000)).toEqual(samples.subarray(0, 20000));
    expect(limited.subarray(28000)).toEqual(samples.subarray(28000));
  });
});

describe('getDuration', () => {
  it('refuses an MP3 that the tool did not write', () => {
    expect(() => getDuration(Buffer.alloc(1440))).toThrow(/not a whole MP3/);
  });
});
