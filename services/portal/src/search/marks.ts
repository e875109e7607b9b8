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

/** What a word without accents may look like where it is written, as a regular expression that PostgreSQL and JavaScript read alike. */
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

/** Where whole words that fit a pattern stand in a text: from, to (exclusive), in UTF-16 units. */
export function marksOf(text: string, pattern: string): [number, number][] {
  const found = text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'));
  return [...found].map((match) => [match.index, match.index + match[0].length]);
}
