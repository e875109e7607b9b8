import type { SearchHit } from '@escucho/contracts';
import type { HitRow } from './repository.ts';

const writtenWord = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
const isPlain = /^[a-z0-9]*$/;
const ligatures: Record<string, string> = { ø: 'o', œ: 'oe', æ: 'ae', ß: 'ss', ł: 'l', đ: 'd' };

/** Normalizes a word as `search_text` does in the database. */
function normalizeWord(word: string): string {
  const lower = word.toLowerCase();
  if (isPlain.test(lower)) return lower;
  const unaccented = lower.normalize('NFD').replace(/[\p{M}'’]/gu, '');
  return unaccented.replace(/[øœæßłđ]/g, (letter) => ligatures[letter] ?? letter);
}

/**
 * Returns where words occur in a text, as pairs of start and end (exclusive) in UTF-16 units.
 *
 * @param words - normalized as by `search_text`
 */
export function findHighlights(text: string, words: ReadonlySet<string>): [number, number][] {
  return Array.from(text.matchAll(writtenWord)).flatMap(({ 0: word, index }) =>
    words.has(normalizeWord(word)) ? [[index, index + word.length] satisfies [number, number]] : [],
  );
}

function toWhere({ in_head, in_title, in_narrator, sentence }: HitRow): SearchHit['where'] {
  if (!in_head) return sentence ? 'text' : 'summary';
  if (in_title) return 'title';
  return in_narrator ? 'narrator' : 'topic';
}

/**
 * Describes where the searched words are in a hit.
 *
 * @param words - normalized as by `search_text`; null for a search without words
 */
export function toMatch(hit: HitRow, words: ReadonlySet<string> | null): Omit<SearchHit, 'track'> {
  if (words === null) return { where: null, titleMarks: [], sentence: null };
  const { sentence } = hit;
  return {
    where: toWhere(hit),
    titleMarks: findHighlights(hit.track.title, words),
    sentence: sentence && { ...sentence, marks: findHighlights(sentence.text, words) },
  };
}
