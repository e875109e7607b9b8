import { describe, expect, it } from 'vitest';
import {
  estimateMatches,
  getCorrection,
  getEditDistance,
  omitEachTerm,
  pickRarest,
  rankCorrections,
  type SimilarWord,
  toAllTermsQuery,
  toAnyAlternativeQuery,
  toCorrectedTerm,
  toIndexQueries,
  toTerm,
  toWeightedQuery,
} from './query-terms.ts';

const similar = (word: string, documents = 1, soundsAlike = false): SimilarWord => ({
  word,
  language: 'en',
  documents,
  heads: 0,
  soundsAlike,
});
const statistics = (word: string, documents = 1) => similar(word, documents);
const counts = { en: 10_000, es: 10_000 };
const term = (word: string, forms: Partial<Parameters<typeof toTerm>[0]> = {}) =>
  toTerm({ word, exact: [], inflected: [], completions: [], ...forms }, counts);

describe('edit distance and corrections', () => {
  it.each([
    ['otter', 'otter', 0],
    ['oter', 'otter', 1],
    ['ottter', 'otter', 1],
    ['ottar', 'otter', 1],
    ['trian', 'train', 1],
    ['girrafe', 'giraffe', 2],
    ['', 'sea', 3],
  ])('[CAT-03] the edit distance of %s and %s is %i', (one, other, edits) => {
    expect([getEditDistance(one, other), getEditDistance(other, one)]).toEqual([edits, edits]);
  });

  it.each([
    ['a short word has none', 'bos', [similar('bus')], true, []],
    [
      'a word of four letters may have one mistake',
      'oter',
      [similar('otter'), similar('oyster')],
      true,
      ['otter'],
    ],
    [
      'a long word may have two',
      'interpretr',
      [similar('interpreter'), similar('interpreted')],
      false,
      ['interpreter'],
    ],
    [
      'the same sound counts as one mistake',
      'gayo',
      [similar('gallo', 1, true), similar('gato', 9)],
      false,
      ['gallo', 'gato'],
    ],
    [
      'an unfinished word matches the beginning of a longer one',
      'sourdg',
      [similar('sourdough')],
      true,
      ['sourdough'],
    ],
    ['a finished word does not', 'sourdg', [similar('sourdough')], false, []],
    [
      'equal mistakes are ordered by the first letter, then by frequency',
      'hoise',
      [similar('noise', 9), similar('house', 2), similar('horse', 3)],
      false,
      ['horse', 'house', 'noise'],
    ],
  ] as const)('[CAT-03] %s', (_name, word, words, isLast, expected) => {
    expect(rankCorrections(word, words, isLast).map(({ word }) => word)).toEqual(expected);
  });
});

describe('search terms', () => {
  const sea = term('sea', {
    exact: [statistics('sea', 90)],
    completions: [statistics('seal', 2), statistics('season', 5)],
  });
  const otter = term('otter', { exact: [statistics('otter', 3)], inflected: [statistics('otters', 1)] });

  it('[CAT-03] make a query for all words, each in any of its forms', () => {
    expect(toAllTermsQuery([otter, sea], 'forms')).toBe("('otter'|'otters')&('sea'|'seal'|'season')");
    expect(toAllTermsQuery([otter, sea], 'exactForms')).toBe("('otter'|'otters')&('sea')");
    expect(toWeightedQuery('A', [otter, sea])).toBe("'otter':A|'otters':A|'sea':A|'seal':A|'season':A");
    expect(toAnyAlternativeQuery(omitEachTerm([otter, sea]))).toBe(
      "(('sea'|'seal'|'season'))|(('otter'|'otters'))",
    );
  });

  it.each([
    ['otter', 'otters', ['otters']],
    ['autobus', 'autobuses', ['autobuses']],
    ['luz', 'luces', ['luces']],
    ['luces', 'luz', ['luz']],
    ['gran', 'grano', []],
  ])('[CAT-03] of %s with the inflected form %s are exact with %j', (word, inflected, plurals) => {
    const { exactForms } = term(word, { exact: [statistics(word)], inflected: [statistics(inflected)] });
    expect(exactForms).toEqual([word, ...plurals]);
  });

  it('[CAT-03] with many forms become separate index queries', () => {
    const many = (word: string) =>
      term(word, { exact: [statistics(word)], inflected: [statistics(`${word}s`)] });
    expect(
      toIndexQueries(
        [[otter, term('moon', { exact: [statistics('moon')] }), term('sun', { exact: [statistics('sun')] })]],
        'forms',
      ),
    ).toEqual(["('moon')&('sun')", "('otter'|'otters')"]);
    expect(toIndexQueries([[many('a'), many('b'), many('c')]], 'forms')).toEqual([
      "('c'|'cs')",
      "('a'|'as')",
      "('b'|'bs')",
    ]);
    expect(toIndexQueries(omitEachTerm([otter, sea]), 'forms')).toEqual([
      toAnyAlternativeQuery(omitEachTerm([otter, sea])),
    ]);
  });

  it('[CAT-03] of a frequent last word search its completions in heads only', () => {
    const forms = (documents: number) =>
      term('the', { exact: [statistics('the', documents)], completions: [statistics('there')] });
    expect([forms(1900).bodyForms, forms(2100).bodyForms]).toEqual([['the', 'there'], ['the']]);
    expect(forms(2100).forms).toEqual(['the', 'there']);
    const inFew = { en: 100, es: 100 };
    const few = toTerm(
      { word: 'the', exact: [statistics('the', 90)], inflected: [], completions: [statistics('there')] },
      inFew,
    );
    expect(few.bodyForms).toEqual(['the', 'there']);
  });

  it('[CAT-03] are ranked by the rarest', () => {
    expect(pickRarest([sea, otter]).map(({ word }) => word)).toEqual(['otter', 'sea']);
  });

  it('[CAT-03] report a correction only when the query was changed', () => {
    expect(getCorrection([{ word: 'sea' }, { word: 'otter' }], [sea, otter])).toBeNull();
    const guess = toCorrectedTerm('oter', [statistics('otter')]);
    expect(getCorrection([{ word: 'sea' }, { word: 'oter' }], [sea, guess])).toBe('sea otter');
    expect(getCorrection([{ word: 'xyzzy' }, { word: 'otter' }], [otter])).toBe('otter');
  });

  it('[CAT-03] estimate matches for each language separately', () => {
    const counts = { en: 100, es: 100 };
    expect(estimateMatches([], 'documents', counts)).toBe(200);
    expect(estimateMatches([otter], 'documents', counts)).toBe(4);
    expect(estimateMatches([otter, sea], 'documents', counts)).toBeCloseTo(4 * 0.97);
    expect(estimateMatches([otter, sea], 'heads', counts)).toBe(0);
    expect(estimateMatches([otter], 'documents', { en: 0, es: 0 })).toBe(0);
  });
});
