import { describe, expect, it } from 'vitest';
import { join, pauses, trim } from './narrate-join.ts';
import { holdPeaks } from './narrate-master.ts';
import { durationOf } from './narrate-mp3.ts';
import { spoken } from './narrate-voice.ts';

const rate = 16000;
/** In: pairs of seconds and amplitude. Out: a sound of a low tone, as loud as each pair says. */
const tone = (...parts: readonly (readonly [number, number])[]) => ({
  rate,
  samples: Float32Array.from(
    parts.flatMap(([seconds, level]) =>
      Array.from({ length: seconds * rate }, (_, i) => level * Math.sin(i / 8)),
    ),
  ),
});
const lasts = ({ samples }: { samples: Float32Array }): number => samples.length / rate;

describe('spoken', () => {
  it.each([
    ['“You’re late,” he said.', "You're late, he said."],
    ['—¿Y Ramón? —preguntó Luis—, ¿duerme?', '¿Y Ramón? preguntó Luis, ¿duerme?'],
    ['Rain — then silence…', 'Rain, then silence...'],
  ])('prepares %s', (printed, heard) => {
    expect(spoken(printed)).toBe(heard);
  });
});

describe('trim', () => {
  it('cuts the silence at both edges down to a small margin', () => {
    expect(lasts(trim(tone([0.4, 0], [1, 0.5], [0.6, 0])))).toBeCloseTo(1.044, 1);
  });

  it('takes a speck of noise for silence', () => {
    expect(lasts(trim(tone([0.2, 0], [0.005, 0.02], [0.4, 0], [1, 0.5], [0.2, 0])))).toBeLessThan(1.1);
  });

  it('shortens a long pause within and leaves a short one', () => {
    expect(lasts(trim(tone([1, 0.5], [0.9, 0], [1, 0.5])))).toBeCloseTo(2.4, 1);
    expect(lasts(trim(tone([1, 0.5], [0.3, 0], [1, 0.5])))).toBeCloseTo(2.3, 1);
  });

  it('refuses a sentence in which nothing is heard', () => {
    expect(() => trim(tone([1, 0.001]))).toThrow(/said nothing/);
  });
});

describe('join', () => {
  it('puts each sentence after its pause and silence at the end', () => {
    const { sound, spans } = join([tone([1, 0.5]), tone([0.5, 0.5])], [0.3, 0.7]);
    expect(spans).toEqual([
      { start: 0.3, end: 1.3 },
      { start: 2, end: 2.5 },
    ]);
    expect(lasts(sound)).toBeCloseTo(2.5 + pauses.tail, 6);
  });
});

describe('holdPeaks', () => {
  it('brings peaks under the ceiling and leaves the rest alone', () => {
    const samples = Float32Array.from({ length: 48000 }, (_, i) =>
      i === 24000 ? 0.9 : 0.3 * Math.sin(i / 20),
    );
    const held = holdPeaks(samples, 0.6);
    expect(Math.max(...held.map(Math.abs))).toBeLessThan(0.60001);
    expect(held.subarray(0, 20000)).toEqual(samples.subarray(0, 20000));
    expect(held.subarray(28000)).toEqual(samples.subarray(28000));
  });
});

describe('durationOf', () => {
  it('refuses what is not a narration', () => {
    expect(() => durationOf(Buffer.alloc(1440))).toThrow(/not a whole MP3/);
  });
});
