import type { SearchHit, Track } from '@escucho/contracts';
import type { Links } from '../media/links.ts';
import { toSharedTrack } from '../playlists/presenter.ts';
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
 * Converts a hit to the API's form, with what its track is to all users.
 *
 * @param words - the searched words; null for a search without words
 * @param source - the name of the list
 */
export function toSearchHit(
  hit: HitRow,
  { words, source, playable }: { words: ReadonlySet<string> | null; source: string; playable: boolean },
  links: Links,
): Omit<SearchHit, 'track'> & { track: Omit<Track, 'progress' | 'like'> } {
  const track = toSharedTrack(hit.track, { name: source, id: null }, playable, links);
  if (words === null) return { track, where: null, titleMarks: [], sentence: null };
  const { sentence } = hit;
  return {
    track,
    where: toWhere(hit),
    titleMarks: findHighlights(hit.track.title, words),
    sentence: sentence && { ...sentence, marks: findHighlights(sentence.text, words) },
  };
}
