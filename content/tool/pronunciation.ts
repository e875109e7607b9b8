/**
 * Compares how the synthesizer pronounces each word of the texts with how a second synthesizer's dictionary transcribes
 * it: the narrator's voice speaks the word and its transcription, and the two spectra are aligned. Prints the words that
 * differ most, for a person to judge; `pronounce` in the front matter corrects what is wrong. Prints also how words of
 * two readings, like “read”, are read in their sentences.
 * Run it by `npm run check-pronunciation -w content -- [slug…]`. Needs the Debian package espeak-ng.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trim } from './assembly.ts';
import { reportError, run } from './programs.ts';
import { synthesize, toMarkup, toPhonemeMarkup, voices } from './speech.ts';
import { readTexts, type SourceText } from './texts.ts';
import type { Sound } from './wav.ts';

/** Mean distance of aligned frames above which a word is printed; words that sound alike stay below 8. */
const MAX_DISTANCE = 9;
const FRAME_SAMPLES = 400;
const HOP_SAMPLES = 160;
const BANDS = 24;

const transcribers = { 'en-GB': 'en-gb', 'en-US': 'en-us', 'es-ES': 'es' } as const;

/** The synthesizer's phonemes (X-SAMPA) for espeak-ng's (IPA), longest first; it joins diphthongs by `_`. */
const englishPhonemes: readonly (readonly [string, string])[] = (
  'tʃ t_S|dʒ d_Z|aɪə a_I@|aʊə a_U@|eɪ e_I|aɪ a_I|ɔɪ O_I|əʊ @_U|oʊ @_U|aʊ a_U|iə I_@|ɪə I_@|eə E_@|ʊə U_@|iː i:|uː u:|ɑːɹ A:r|ɔːɹ O:r|oːɹ O:r|' +
  'ɑː A:|ɔː O:|oː O:|ɜː 3:|ɚ @r|əl @l|ɪ I|i i:|ɛ E|æ {|a {|ɒ Q|ʌ V|ɐ @|ʊ U|u u:|ə @|ᵻ I|ɔ O:|o @_U|e e|θ T|ð D|ʃ S|ʒ Z|ŋ N|ɹ r|ɾ t|ʔ t|ɡ g|' +
  'p p|b b|t t|d d|k k|f f|v v|s s|z z|h h|m m|n n|l l|j j|w w|x x|r r|n̩ n'
)
  .split('|')
  .map((pair) => pair.split(' ') as [string, string]);

const spanishPhonemes: readonly (readonly [string, string])[] =
  'tʃ t_S|rr rr|ɾ r|r rr|ʝ jj|ʎ jj|ɲ J|β B|ð D|ɣ G|ɡ g|θ T|x x|ŋ N|ɪ i|ʊ u|ai̯ ai|a a|e e|i i|o o|u u|p p|b b|t t|d d|k k|f f|s s|z s|m m|n n|l l|j j|w w|ɟ jj'
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]);

/** Converts a transcription; symbols without a counterpart, such as stress marks, are left out. */
function toSynthesizerPhonemes(ipa: string, table: readonly (readonly [string, string])[]): string {
  let rest = ipa.normalize('NFC');
  let result = '';
  while (rest !== '') {
    const [from, to] = table.find(([symbol]) => rest.startsWith(symbol)) ?? [rest.slice(0, 1), ''];
    result += rest.startsWith('ˈ') ? '"' : to;
    rest = rest.slice(from.length);
  }
  return result;
}

const BINS = FRAME_SAMPLES / 2;
const cosines = Float64Array.from({ length: FRAME_SAMPLES }, (_, n) =>
  Math.cos((2 * Math.PI * n) / FRAME_SAMPLES),
);

/** Returns the energies of mel bands in dB for each frame of a sound. */
function measureBands({ samples }: Sound): Float64Array[] {
  const frames: Float64Array[] = [];
  for (let offset = 0; offset + FRAME_SAMPLES <= samples.length; offset += HOP_SAMPLES) {
    const windowed = cosines.map((cosine, n) => (samples[offset + n] ?? 0) * (0.5 - 0.5 * cosine));
    const bands = new Float64Array(BANDS).fill(1e-4);
    for (let bin = 3; bin < BINS; bin += 1) {
      let [re, im] = [0, 0];
      for (let n = 0; n < FRAME_SAMPLES; n += 1) {
        const phase = (bin * n) % FRAME_SAMPLES;
        re += (windowed[n] ?? 0) * (cosines[phase] ?? 0);
        im += (windowed[n] ?? 0) * (cosines[(phase + BINS / 2) % FRAME_SAMPLES] ?? 0);
      }
      const mel = Math.log1p((bin * 40) / 700) / Math.log1p(8000 / 700);
      const band = Math.floor(mel * BANDS);
      bands[band] = (bands[band] ?? 0) + re * re + im * im;
    }
    frames.push(bands.map((power) => 10 * Math.log10(power)));
  }
  return frames;
}

/** Returns the mean distance in dB of the frames of two sounds along their best alignment (dynamic time warping). */
function compareSounds(a: Sound, b: Sound): number {
  const [rows, columns] = [measureBands(trim(a)), measureBands(trim(b))];
  let previous = columns.map(() => Number.POSITIVE_INFINITY);
  for (const [i, row] of rows.entries()) {
    const current: number[] = [];
    for (const [j, column] of columns.entries()) {
      const sum = row.reduce((total, level, band) => total + Math.abs(level - (column[band] ?? 0)), 0);
      const before = Math.min(
        previous[j] ?? Number.POSITIVE_INFINITY,
        previous[j - 1] ?? Number.POSITIVE_INFINITY,
        current[j - 1] ?? Number.POSITIVE_INFINITY,
      );
      current.push(sum / BANDS + (i === 0 && j === 0 ? 0 : before));
    }
    previous = current;
  }
  return (previous.at(-1) ?? 0) / Math.max(rows.length, columns.length);
}

const splitWords = (text: string): string[] => text.match(/[\p{L}\p{M}'’]+/gu) ?? [];

/** Returns the words of a text, each with its first sentence. */
function collectWords({ sentences }: SourceText): Map<string, string> {
  const words = new Map<string, string>();
  for (const { text } of sentences)
    for (const word of splitWords(text))
      if (!words.has(word.toLowerCase())) words.set(word.toLowerCase(), text);
  return words;
}

/** Prints the words of a text whose two pronunciations differ. */
async function checkText(text: SourceText, folder: string): Promise<void> {
  const { language } = voices[text.narrator];
  const words = collectWords(text);
  const list = [...words.keys()];
  const { stdout } = await run('espeak-ng', ['-q', '--ipa', '-v', transcribers[language], list.join('\n\n')]);
  const transcriptions = stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (transcriptions.length !== list.length)
    throw new Error(`${text.slug}: ${list.length} words, ${transcriptions.length} transcriptions`);
  const table = text.language === 'es' ? spanishPhonemes : englishPhonemes;
  const found: [number, string][] = [];
  for (const [i, word] of list.entries()) {
    const transcription = transcriptions[i] ?? '';
    const phonemes = toSynthesizerPhonemes(transcription, table);
    const speak = (markup: string) => synthesize(markup, text.narrator, text.level, folder);
    const read = await speak(toMarkup(word));
    const transcribed = await speak(toPhonemeMarkup(phonemes));
    const distance = compareSounds(read, transcribed);
    if (distance > MAX_DISTANCE)
      found.push([distance, `${word} [${transcription}] ${phonemes}: ${words.get(word)}`]);
  }
  console.log(`${text.slug}: ${list.length} words, ${found.length} differ`);
  for (const [distance, line] of found.sort(([a], [b]) => b - a))
    console.log(`  ${distance.toFixed(1)} ${line}`);
}

/** English words that are read in two ways, each with a spelling of either that has only that reading. */
const heteronyms: Record<string, readonly string[]> = {
  close: ['cloze', 'cloass'],
  lead: ['leed', 'led'],
  live: ['liv', 'lyve'],
  lives: ['livs', 'lyvz'],
  minute: ['minnit', 'mynewt'],
  read: ['reed', 'red'],
  tears: ['teers', 'tares'],
  wind: ['winned', 'wined'],
};

/** Prints each sentence that has a word of two readings, with the reading the synthesizer chose. */
async function printReadings(text: SourceText, folder: string): Promise<void> {
  const speak = async (sentence: string): Promise<string> => {
    const markup = toMarkup(sentence, text.respellings);
    return (await synthesize(markup, text.narrator, text.level, folder)).samples.join();
  };
  for (const { text: sentence } of text.sentences)
    for (const [word, spellings] of Object.entries(heteronyms))
      for (const { index } of sentence.matchAll(new RegExp(`\\b${word}\\b`, 'gi'))) {
        const respell = (spelling: string): string =>
          sentence.slice(0, index) + spelling + sentence.slice(index + word.length);
        const spoken = await speak(sentence);
        let reading = '?';
        for (const spelling of spellings) if ((await speak(respell(spelling))) === spoken) reading = spelling;
        console.log(`  ${word} as ${reading}: …${sentence.slice(Math.max(0, index - 40), index + 40)}…`);
      }
}

async function checkTexts(requested: readonly string[]): Promise<void> {
  const texts = readTexts(fileURLToPath(new URL('../texts', import.meta.url)), requested);
  const folder = await mkdtemp(join(tmpdir(), 'pronunciation-'));
  try {
    for (const text of texts) {
      await checkText(text, folder);
      if (text.language === 'en') await printReadings(text, folder);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

await checkTexts(process.argv.slice(2)).catch(reportError);
