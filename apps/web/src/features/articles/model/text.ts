interface Sentence {
  paragraph: number;
  chapter: number | null;
}

/** Groups the sentences of a text, which are in order, by chapter and paragraph; text before the first chapter has null. */
export function groupByChapter<S extends Sentence>(
  sentences: readonly S[],
): { chapter: number | null; paragraphs: S[][] }[] {
  const groups: { chapter: number | null; paragraphs: S[][] }[] = [];
  for (const sentence of sentences) {
    let group = groups.at(-1);
    if (!group || group.chapter !== sentence.chapter) {
      group = { chapter: sentence.chapter, paragraphs: [] };
      groups.push(group);
    }
    const paragraph = group.paragraphs.at(-1);
    if (paragraph?.[0]?.paragraph === sentence.paragraph) paragraph.push(sentence);
    else group.paragraphs.push([sentence]);
  }
  return groups;
}

/** A segment of a text; a match of the search is highlighted. */
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
