import type { Article } from '@escucho/contracts';

export type Sentence = Article['sentences'][number];

// An element that was sent to a place may say that it stands a hair before it.
const rounding = 0.005;

/** The sentence spoken at a position: the last one begun by then; -1 before the first. In: sentences in order, seconds. */
export function findSentenceIndex(sentences: readonly { start: number }[], position: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sentences[middle]?.start ?? Number.POSITIVE_INFINITY) <= position + rounding) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface Paragraph {
  /** The number of its first sentence. */
  first: number;
  sentences: readonly Sentence[];
}

/** The text in paragraphs. A change of chapter or page is a change of paragraph too. */
export function toParagraphs(sentences: readonly Sentence[]): Paragraph[] {
  const paragraphs: { first: number; sentences: Sentence[] }[] = [];
  sentences.forEach((sentence, index) => {
    const before = sentences[index - 1];
    const isSame =
      before?.paragraph === sentence.paragraph &&
      before?.chapter === sentence.chapter &&
      before?.page === sentence.page;
    const current = paragraphs.at(-1);
    if (isSame && current) current.sentences.push(sentence);
    else paragraphs.push({ first: index, sentences: [sentence] });
  });
  return paragraphs;
}

/** Where sentences begin, as shares of the whole (0 to 1), without those too close to the one before to be told apart. */
export function getTickPositions(
  sentences: readonly { start: number }[],
  duration: number,
  closest = 0.006,
): number[] {
  const shares: number[] = [];
  for (const { start } of sentences) {
    const share = duration > 0 ? start / duration : 0;
    if (share > 0 && share < 1 && share - (shares.at(-1) ?? 0) >= closest) shares.push(share);
  }
  return shares;
}
