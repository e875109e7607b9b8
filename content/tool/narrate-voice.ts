/** The narrators' voices: how each is made out of the synthesiser, and how a sentence is spoken. */
import { join } from 'node:path';
import { run } from './narrate-run.ts';
import { readWav, type Sound } from './narrate-wav.ts';
import type { Level, NarratorName } from './source.ts';

/**
 * A narrator. `language` is the synthesiser's voice, `pitch` its melody in percent, `pace` the narrator's own speed.
 * `size` moves the whole spectrum, as a larger or smaller body does: below 1 is deeper. The sound is played back at
 * that rate and spoken faster or slower to make up for it, which leaves no trace of stretching.
 */
export interface Voice {
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

/** How fast a level is read, next to the narrator's own pace. */
export const paces: Record<Level, number> = { A1: 0.85, A2: 0.92, B1: 0.97, B2: 1, C1: 1 };

/** The synthesiser speaks at this rate. */
const spokenRate = 16000;

/** In: a sentence as printed. Out: what the synthesiser is told: quotation marks are not heard and a dash is a short pause. */
export function spoken(sentence: string): string {
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

/** In: a sentence, its narrator, the text's level and a scratch folder. Out: its sound, whose rate carries the voice's size. */
export async function speak(
  sentence: string,
  narrator: NarratorName,
  level: Level,
  folder: string,
): Promise<Sound> {
  const { language, pitch, size, pace } = voices[narrator];
  const speed = Math.round((100 * pace * paces[level]) / size);
  const words = spoken(sentence).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const file = join(folder, 'sentence.wav');
  const markup = `<pitch level="${pitch}"><speed level="${speed}">${words}</speed></pitch>`;
  await run('pico2wave', [`--lang=${language}`, `--wave=${file}`, markup]);
  const { rate, samples } = readWav(file);
  if (rate !== spokenRate) throw new Error(`The synthesiser spoke at ${rate} Hz, not at ${spokenRate} Hz`);
  return { rate: Math.round(rate * size), samples };
}
