import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../e2e/support/product.ts';

export type Language = 'en' | 'es';

/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((again ^ (again >>> 14)) >>> 0) / 4294967296;
  };
}

/** The words of the demo's texts in a language, most frequent first. */
function spoken(language: Language): string[] {
  const library = join(root, 'content/library');
  const counts = new Map<string, number>();
  for (const slug of readdirSync(library).filter((name) => !/^(brand|narrators)$/.test(name))) {
    const piece = JSON.parse(readFileSync(join(library, slug, 'article.json'), 'utf8'));
    if (piece.language !== language) continue;
    for (const { text } of piece.sentences)
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

/** So many words: those of the demo, then ones made of syllables. */
export function words(language: Language, size: number, next: () => number): string[] {
  const all = new Set(spoken(language));
  const parts = syllables[language];
  while (all.size < size)
    all.add(
      Array.from({ length: 2 + Math.floor(next() * 3) }, () => parts[Math.floor(next() * parts.length)]).join(
        '',
      ),
    );
  return [...all];
}

/** How many words a language has where so many sentences are said: it grows with the root of what is said (Heaps). */
export const vocabularyOf = (sentences: number): number => Math.round(30 * Math.sqrt(sentences * 10));

/** The most frequent of a list again and again, the last ones seldom, as people speak (Zipf). `from` leaves the first out. */
export const pick = (list: readonly string[], next: () => number, from = 1): string =>
  list[Math.floor(from * (list.length / from) ** next()) - 1] ?? '';
