import type { Article } from '@escucho/contracts';

export type Sentence = Article['sentences'][number];

/** Returns the index of the last sentence that starts at or before a position (seconds), or -1. */
export const findSentenceIndex = (sentences: readonly { start: number }[], position: number): number =>
  sentences.findLastIndex(({ start }) => start <= position);

export interface Paragraph {
  /** The index of its first sentence. */
  first: number;
  sentences: readonly Sentence[];
}

/** Groups sentences into paragraphs. A new chapter or page starts a new paragraph. */
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

/** Ticks closer together than this share of the duration look like one. */
const MIN_TICK_GAP = 0.006;

/** Returns where sentences start as shares of the duration (0 to 1), without those too close to the one before. */
export function getTickPositions(sentences: readonly { start: number }[], duration: number): number[] {
  const shares: number[] = [];
  for (const { start } of sentences) {
    const share = duration > 0 ? start / duration : 0;
    if (share > 0 && share < 1 && share - (shares.at(-1) ?? 0) >= MIN_TICK_GAP) shares.push(share);
  }
  return shares;
}
