import { join } from 'node:path';
import { run } from './programs.ts';
import type { Level, NarratorName } from './texts.ts';
import { readWav, type Sound } from './wav.ts';

/**
 * A narrator's voice. `language` is the synthesizer's voice, `pitch` its melody in percent, `pace` the narrator's own
 * speed. `size` shifts the whole spectrum as a larger or smaller body does; below 1 is deeper. The sound is played back
 * at that rate and spoken faster or slower to compensate, which leaves no artefacts of time stretching.
 */
interface Voice {
  language: 'en-GB' | 'en-US' | 'es-ES';
  pitch: number;
  size: number;
  pace: number;
}

export const voices: Record<NarratorName, Voice> = {
  Amelia: { language: 'en-GB', pitch: 100, size: 1, pace: 0.86 },
  Grace: { language: 'en-US', pitch: 100, size: 1, pace: 0.87 },
  Tom: { language: 'en-US', pitch: 74, size: 0.87, pace: 0.87 },
  Lucía: { language: 'es-ES', pitch: 100, size: 1, pace: 0.96 },
  Diego: { language: 'es-ES', pitch: 72, size: 0.87, pace: 0.96 },
  Carmen: { language: 'es-ES', pitch: 104, size: 1.04, pace: 0.91 },
};

/** Reading speed of each level, as a factor of the narrator's own pace. */
export const paces: Record<Level, number> = { A1: 0.85, A2: 0.92, B1: 0.97, B2: 1, C1: 1, C2: 1 };

const SYNTHESIZER_RATE_HZ = 16_000;

/** Returns a sentence as the synthesizer reads it: without quotation marks, with dashes as short pauses. */
export function toSpokenText(sentence: string): string {
  return sentence
    .replace(/[“”„"«»]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/^\s*[—–]\s*/, '')
    .replace(/\s*[—–]\s*(?=[.,;:!?])/g, '')
    .replace(/([.,;:!?])\s*[—–]\s*/g, '$1 ')
    .replace(/\s*[—–]\s*/g, ', ')
    .replace(/…/g, '...')
    .replace(/\s+/g, ' ')
    .trim();
}

const escapeMarkup = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Returns the markup that makes the synthesizer speak X-SAMPA phonemes. */
export const toPhonemeMarkup = (phonemes: string): string =>
  `<phoneme alphabet="xsampa" ph="${escapeMarkup(phonemes)}"/>`;

/** Returns a sentence as the synthesizer's markup, with the words that a text respells. */
export function toMarkup(sentence: string, respellings: Record<string, string> = {}): string {
  const respelled = Object.entries(respellings).reduce(
    (text, [words, respelling]) =>
      text.replace(new RegExp(`(?<![\\p{L}\\p{M}])${words}(?![\\p{L}\\p{M}])`, 'gu'), respelling),
    sentence,
  );
  return escapeMarkup(toSpokenText(respelled));
}

/**
 * Synthesizes markup in a narrator's voice.
 *
 * @param folder - where the synthesizer writes its WAV file
 * @returns the sound, at a sample rate that applies the voice's `size`
 */
export async function synthesize(
  markup: string,
  narrator: NarratorName,
  level: Level,
  folder: string,
): Promise<Sound> {
  const { language, pitch, size, pace } = voices[narrator];
  const speed = Math.round((100 * pace * paces[level]) / size);
  const file = join(folder, 'sentence.wav');
  const whole = `<pitch level="${pitch}"><speed level="${speed}">${markup}</speed></pitch>`;
  await run('pico2wave', [`--lang=${language}`, `--wave=${file}`, whole]);
  const { rate, samples } = readWav(file);
  if (rate !== SYNTHESIZER_RATE_HZ)
    throw new Error(`The synthesizer writes ${rate} Hz instead of ${SYNTHESIZER_RATE_HZ} Hz`);
  return { rate: Math.round(rate * size), samples };
}
