interface Segment {
  text: string;
  isMatch: boolean;
}

/**
 * Splits a text at the matches of a search.
 *
 * @param ranges - Start and end of each match in UTF-16 units, in order and without overlap.
 */
export function splitMatches(text: string, ranges: readonly (readonly [number, number])[]): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    if (from > end) segments.push({ text: text.slice(end, from), isMatch: false });
    segments.push({ text: text.slice(Math.max(from, end), to), isMatch: true });
    end = Math.max(end, to);
  }
  if (end < text.length) segments.push({ text: text.slice(end), isMatch: false });
  return segments.filter((segment) => segment.text !== '');
}

/** How many characters before a match fit on a phone together with the match. */
const MAX_LEAD_LENGTH = 20;

/**
 * Returns where the excerpt of a sentence begins, so that its first match is visible on a phone: at a word shortly before it.
 *
 * @param matchStart - in UTF-16 units
 */
export function findExcerptStart(text: string, matchStart: number): number {
  const earliest = matchStart - MAX_LEAD_LENGTH;
  if (earliest <= 0) return 0;
  const space = text.indexOf(' ', earliest);
  return space !== -1 && space < matchStart ? space + 1 : matchStart;
}
