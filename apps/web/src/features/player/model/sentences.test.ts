import { describe, expect, it } from 'vitest';
import { buildArticle } from '../testing/fixtures.ts';
import { findSentenceIndex, getTickPositions } from './sentences.ts';

const { sentences } = buildArticle(1);

describe('sentences', () => {
  it.each([
    [-1, -1],
    [0, 0],
    [9.99, 0],
    [10, 1],
    [25, 2],
    [500, 2],
  ])('[PLAY-08] at %d seconds the index is %d', (position, index) => {
    expect(findSentenceIndex(sentences, position)).toBe(index);
  });

  it('an empty text has no current sentence', () => {
    expect(findSentenceIndex([], 5)).toBe(-1);
  });

  it('getTickPositions omits those too close to the one before', () => {
    expect(getTickPositions(sentences, 100)).toEqual([0.1, 0.2]);
    expect(getTickPositions(sentences, 100_000)).toEqual([]);
    expect(getTickPositions(sentences, 0)).toEqual([]);
  });
});
