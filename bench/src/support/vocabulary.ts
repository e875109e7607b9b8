import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../e2e/support/product.ts';

export type Language = 'en' | 'es';

/** Returns the words of the demo's texts, most frequent first. */
function readDemoWords(language: Language): string[] {
  const library = join(root, 'content/library');
  const counts = new Map<string, number>();
  for (const slug of readdirSync(library).filter((name) => !/^(brand|narrators)$/.test(name))) {
    const article = JSON.parse(readFileSync(join(library, slug, 'article.json'), 'utf8'));
    if (article.language !== language) continue;
    for (const { text } of article.sentences)
      for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu))
        counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([word]) => word);
}

const syllables = {
  en: [
    'ber',
    'ton',
    'mar',
    'shal',
    'ing',
    'dle',
    'stro',
    'wick',
    'fen',
    'gar',
    'low',
    'thi',
    'pan',
    'ger',
    'ship',
    'ly',
    'cor',
    'ham',
    'ost',
    'ver',
  ],
  es: [
    'ca',
    'mi',
    'ñor',
    'ción',
    'tra',
    'gue',
    'lla',
    'ren',
    'dor',
    'es',
    'pa',
    'lo',
    'quín',
    'ber',
    'to',
    'ña',
    'mon',
    'che',
    'ri',
    'za',
  ],
};

/** Returns the words of the demo, filled up to `size` with words made of syllables. */
export function createVocabulary(language: Language, size: number, next: () => number): string[] {
  const all = new Set(readDemoWords(language));
  const languageSyllables = syllables[language];
  while (all.size < size)
    all.add(
      Array.from(
        { length: 2 + Math.floor(next() * 4) },
        () => languageSyllables[Math.floor(next() * languageSyllables.length)],
      ).join(''),
    );
  return [...all];
}

/** Estimates the number of different words in a number of sentences (Heaps' law). */
export const estimateVocabularySize = (sentences: number): number =>
  Math.round(30 * Math.sqrt(sentences * 10));

/** Picks a word with a frequency by its rank (Zipf's law). `from` skips the most frequent ones. */
export const pickByFrequency = (list: readonly string[], next: () => number, from = 1): string =>
  list[Math.floor(from * (list.length / from) ** next()) - 1] ?? '';
