import { describe, expect, it } from 'vitest';
import { buildArticle } from '../testing/fixtures.ts';
import { findSentenceIndex, getTickPositions, toParagraphs } from './sentences.ts';

const { sentences } = buildArticle(1);

describe('sentences', () => {
  it.each([
    [-1, -1],
    [0, 0],
    [9.99, 0],
    [9.999, 1],
    [10, 1],
    [25, 2],
    [500, 2],
  ])('[PLAY-08] at %d seconds number %d is spoken', (position, index) => {
    expect(findSentenceIndex(sentences, position)).toBe(index);
  });

  it('none is spoken where there are none', () => {
    expect(findSentenceIndex([], 5)).toBe(-1);
  });

  it('stand in their paragraphs', () => {
    expect(toParagraphs(sentences).map(({ first, sentences: own }) => [first, own.length])).toEqual([
      [0, 2],
      [2, 1],
    ]);
  });

  it('a new page begins a new paragraph', () => {
    const turned = sentences.map((sentence, index) => ({ ...sentence, paragraph: 0, page: index }));
    expect(toParagraphs(turned)).toHaveLength(3);
  });

  it('mark the scrubber where they begin, unless too close to be told apart', () => {
    expect(getTickPositions(sentences, 100)).toEqual([0.1, 0.2]);
    expect(getTickPositions(sentences, 100_000)).toEqual([]);
    expect(getTickPositions(sentences, 0)).toEqual([]);
  });
});
