import type { Article } from '@escucho/contracts';

export type Sentence = Article['sentences'][number];
type Beginning = Pick<Article['pages'][number], 'start'>;

/** The page that is read at a position: the last one begun by then, the first before all (CAT-06). In: pages in order, seconds. Out: its number from 0. */
export function pageAt(pages: readonly Beginning[], position: number): number {
  const next = pages.findIndex(({ start }) => start > position);
  return Math.max(0, (next < 0 ? pages.length : next) - 1);
}

/** A page's number within the book, whatever was asked for. In: a number from 1 as an address holds it, or null. Out: from 0. */
export function pageOf(asked: string | null, count: number): number {
  const page = /^\d{1,4}$/.test(asked ?? '') ? Number(asked) - 1 : 0;
  return Math.min(Math.max(page, 0), Math.max(count - 1, 0));
}

/** The sentences of a page in paragraphs. In: all sentences of the book, the page's number from 0. */
export function paragraphsOn(sentences: readonly Sentence[], page: number): Sentence[][] {
  const groups = new Map<number, Sentence[]>();
  for (const sentence of sentences) {
    if (sentence.page !== page) continue;
    const group = groups.get(sentence.paragraph);
    if (group) group.push(sentence);
    else groups.set(sentence.paragraph, [sentence]);
  }
  return [...groups.values()];
}

/** What a swipe asks for. In: how far the finger went, in CSS pixels. Out: pages to turn: 1, -1, or 0 for none. */
export function turnOf({ x, y }: { x: number; y: number }): -1 | 0 | 1 {
  if (Math.abs(x) < 48 || Math.abs(x) < 1.5 * Math.abs(y)) return 0;
  return x < 0 ? 1 : -1;
}
