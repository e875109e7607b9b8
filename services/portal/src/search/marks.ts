const letters: Record<string, string> = {
  a: 'aáàâäãåā',
  c: 'cçćč',
  e: 'eéèêëēę',
  i: 'iíìîïī',
  n: 'nñńň',
  o: 'oóòôöõøō',
  s: 'sśš',
  u: 'uúùûüū',
  y: 'yýÿ',
  z: 'zźžż',
};

/** What a word without accents may look like where it is written, as a regular expression of PostgreSQL. */
function written(word: string): string {
  const all = [...word];
  return all
    .map((letter, index) => {
      const looks = letters[letter] ? `[${letters[letter]}]` : letter;
      // don't, otter's, you're
      return index > 0 && index >= all.length - 2 ? `['’]?${looks}` : looks;
    })
    .join('');
}

/** Any of some words, in any case and with any accents. In: words of letters and digits only. */
export const patternOf = (words: readonly string[]): string => `(?:${words.map(written).join('|')})`;

const spoken = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
const isPlain = /^[a-z0-9]*$/;
const ligatures: Record<string, string> = { ø: 'o', œ: 'oe', æ: 'ae', ß: 'ss', ł: 'l', đ: 'd' };

/** A word as `search_text` writes it in the database. */
function asSearched(word: string): string {
  const lower = word.toLowerCase();
  if (isPlain.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(/[\p{M}'’]/gu, '');
  return bare.replace(/[øœæßłđ]/g, (letter) => ligatures[letter] ?? letter);
}

/** Where some words stand in a text: from, to (exclusive), in UTF-16 units. In: the words as they are searched, without accents. */
export function marksOf(text: string, words: ReadonlySet<string>): [number, number][] {
  const all = [...text.matchAll(spoken)];
  return all.flatMap(({ 0: word, index }) =>
    words.has(asSearched(word)) ? [[index, index + word.length] satisfies [number, number]] : [],
  );
}
