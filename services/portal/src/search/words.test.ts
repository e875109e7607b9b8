import { describe, expect, it } from 'vitest';
import {
  allButOne,
  allOf,
  anyIn,
  correctionOf,
  distance,
  expectedOf,
  guessOf,
  meant,
  type Near,
  oneOf,
  queriesOf,
  rarest,
  termOf,
} from './words.ts';

const near = (word: string, documents = 1, sounds = false): Near => ({
  word,
  language: 'en',
  documents,
  heads: 0,
  sounds,
});
const known = (word: string, documents = 1) => near(word, documents);
const amounts = { en: 10_000, es: 10_000 };
const asked = (word: string, forms: Partial<Parameters<typeof termOf>[0]> = {}) =>
  termOf({ word, same: [], inflected: [], begun: [], ...forms }, amounts);

describe('typing mistakes', () => {
  it.each([
    ['otter', 'otter', 0],
    ['oter', 'otter', 1],
    ['ottter', 'otter', 1],
    ['ottar', 'otter', 1],
    ['trian', 'train', 1],
    ['girrafe', 'giraffe', 2],
    ['', 'sea', 3],
  ])('[CAT-03] from %s to %s it is %i', (one, other, edits) => {
    expect([distance(one, other), distance(other, one)]).toEqual([edits, edits]);
  });

  it.each([
    ['a short word is taken as it is', 'bos', [near('bus')], true, []],
    ['one mistake in a word of four letters', 'oter', [near('otter'), near('oyster')], true, ['otter']],
    ['two in a long one', 'interpretr', [near('interpreter'), near('interpreted')], false, ['interpreter']],
    ['written by ear it is one', 'gayo', [near('gallo', 1, true), near('gato', 9)], false, ['gallo', 'gato']],
    [
      'an unfinished word may be the beginning of a longer one',
      'sourdg',
      [near('sourdough')],
      true,
      ['sourdough'],
    ],
    ['a finished one may not', 'sourdg', [near('sourdough')], false, []],
    [
      'of the same nearness the first letter counts, then how frequent it is',
      'hoise',
      [near('noise', 9), near('house', 2), near('horse', 3)],
      false,
      ['horse', 'house', 'noise'],
    ],
  ] as const)('[CAT-03] %s', (_name, word, words, isLast, expected) => {
    expect(meant(word, words, isLast).map(({ word }) => word)).toEqual(expected);
  });
});

describe('a query', () => {
  const sea = asked('sea', { same: [known('sea', 90)], begun: [known('seal', 2), known('season', 5)] });
  const otter = asked('otter', { same: [known('otter', 3)], inflected: [known('otters', 1)] });

  it('[CAT-03] asks for all words, each in any of its forms', () => {
    expect(allOf([otter, sea], 'forms')).toBe("('otter'|'otters')&('sea'|'seal'|'season')");
    expect(allOf([otter, sea], 'surest')).toBe("('otter'|'otters')&('sea')");
    expect(anyIn('A', [otter, sea])).toBe("'otter':A|'otters':A|'sea':A|'seal':A|'season':A");
    expect(oneOf(allButOne([otter, sea]))).toBe("(('sea'|'seal'|'season'))|(('otter'|'otters'))");
  });

  it('[CAT-03] is looked for with terms of many forms apart', () => {
    const many = (word: string) => asked(word, { same: [known(word)], inflected: [known(`${word}s`)] });
    expect(
      queriesOf(
        [[otter, asked('moon', { same: [known('moon')] }), asked('sun', { same: [known('sun')] })]],
        'forms',
      ),
    ).toEqual(["('moon')&('sun')", "('otter'|'otters')"]);
    expect(queriesOf([[many('a'), many('b'), many('c')]], 'forms')).toEqual([
      "('c'|'cs')",
      "('a'|'as')",
      "('b'|'bs')",
    ]);
    expect(queriesOf(allButOne([otter, sea]), 'forms')).toEqual([oneOf(allButOne([otter, sea]))]);
  });

  it('[CAT-03] takes its last word as it stands in texts where it is everywhere, not in titles', () => {
    const forms = (documents: number) =>
      asked('the', { same: [known('the', documents)], begun: [known('there')] });
    expect([forms(1900).inTexts, forms(2100).inTexts]).toEqual([['the', 'there'], ['the']]);
    expect(forms(2100).forms).toEqual(['the', 'there']);
    const inFew = { en: 100, es: 100 };
    const few = termOf(
      { word: 'the', same: [known('the', 90)], inflected: [], begun: [known('there')] },
      inFew,
    );
    expect(few.inTexts).toEqual(['the', 'there']);
  });

  it('[CAT-03] is ranked by its rarest words', () => {
    expect(rarest([sea, otter]).map(({ asked }) => asked)).toEqual(['otter', 'sea']);
  });

  it('[CAT-03] says how it was understood only where it was not taken as it stands', () => {
    expect(correctionOf([{ word: 'sea' }, { word: 'otter' }], [sea, otter])).toBeNull();
    const guess = guessOf('oter', [known('otter')]);
    expect(correctionOf([{ word: 'sea' }, { word: 'oter' }], [sea, guess])).toBe('sea otter');
    expect(correctionOf([{ word: 'xyzzy' }, { word: 'otter' }], [otter])).toBe('otter');
  });

  it('[CAT-03] expects as many documents as its words share, each language by itself', () => {
    const amounts = { en: 100, es: 100 };
    expect(expectedOf([], 'documents', amounts)).toBe(200);
    expect(expectedOf([otter], 'documents', amounts)).toBe(4);
    expect(expectedOf([otter, sea], 'documents', amounts)).toBeCloseTo(4 * 0.97);
    expect(expectedOf([otter, sea], 'heads', amounts)).toBe(0);
    expect(expectedOf([otter], 'documents', { en: 0, es: 0 })).toBe(0);
  });
});
