import { describe, expect, it } from 'vitest';
import { insertTerm } from '../recent-searches.ts';
import { hasFilters, parseFilters, parseListFilter, suggestFilters } from './filters.ts';
import { findExcerptStart, splitMatches } from './text.ts';

describe('[CAT-03] parseFilters reads an address', () => {
  it.each([
    ['', {}],
    ['language=es&level=B1', { language: 'es', level: 'B1' }],
    ['kind=visual-book&length=short&topic=food', { kind: 'visual-book', length: 'short', topic: 'food' }],
    ['language=fr&level=Z9&kind=&length=huge', {}],
    [`topic=${'x'.repeat(61)}`, {}],
    ['page=3&level=A1', { level: 'A1' }],
  ])('%s', (query, filters) => {
    const parsed = parseFilters(new URLSearchParams(query));
    expect(parsed).toEqual(filters);
    expect(hasFilters(parsed)).toBe(Object.keys(filters).length > 0);
  });
});

describe('[CAT-03] suggestFilters', () => {
  it.each([
    ['spanish', {}, '', { language: 'es' }],
    ['Historias en  ESPAÑOL', {}, 'Historias en', { language: 'es' }],
    ['inglés b1', {}, '', { language: 'en', level: 'B1' }],
    ['audiolibros del mar', { level: 'A2' }, 'del mar', { level: 'A2', kind: 'audiobook' }],
    ['english tea', { language: 'es' }, 'tea', { language: 'en' }],
    ['spanish english', {}, '', { language: 'en' }],
  ] as const)('%s', (term, chosen, rest, filters) => {
    expect(suggestFilters(term, chosen)).toMatchObject({ term: rest, filters });
  });

  it.each([
    ['danish', {}],
    ['', {}],
    ['constructor', {}],
    ['spanish harbour', { language: 'es' }],
  ] as const)('finds none in “%s”', (term, chosen) => {
    expect(suggestFilters(term, chosen)).toBeNull();
  });
});

it.each<[string, string, [number, number][], string]>([
  ['no match', 'the ferry', [], 'the ferry'],
  ['a match at the start', 'the ferry', [[0, 3]], '[the] ferry'],
  ['a match at the end', 'the ferry', [[4, 9]], 'the [ferry]'],
  ['a match of the whole text', 'ferry', [[0, 5]], '[ferry]'],
  [
    'adjacent matches',
    'the ferry',
    [
      [0, 3],
      [3, 5],
    ],
    '[the][ f]erry',
  ],
  ['a match beyond the end', 'ferry', [[3, 99]], 'fer[ry]'],
  ['a match after an emoji', '🚢 ferry', [[3, 8]], '🚢 [ferry]'],
])('[CAT-03] splitMatches splits at %s', (_, text, ranges, expected) => {
  const segments = splitMatches(text, ranges);
  expect(segments.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')).toBe(expected);
});

it.each([
  ['a match near the beginning', 'The ferry leaves at noon.', 'ferry', 'The ferry leaves at noon.'],
  [
    'a match far from it',
    'They looked out of the window for hours, waiting for the ferry.',
    'ferry',
    'waiting for the ferry.',
  ],
  ['a match after a long word', `${'a'.repeat(40)}ferry`, 'ferry', 'ferry'],
  ['a match after a long word and a space', `${'a'.repeat(40)} ferry`, 'ferry', 'ferry'],
])('[CAT-03] findExcerptStart of %s', (_, text, match, excerpt) => {
  expect(text.slice(findExcerptStart(text, text.indexOf(match)))).toBe(excerpt);
});

it.each([
  ['puts a new term first', ['b', 'a'], 'c', ['c', 'b', 'a']],
  ['moves a repeated term to the front in its new spelling', ['b', 'Ferry'], 'ferry', ['ferry', 'b']],
  [
    'stores eight terms',
    ['1', '2', '3', '4', '5', '6', '7', '8'],
    '9',
    ['9', '1', '2', '3', '4', '5', '6', '7'],
  ],
  ['ignores a blank term', ['a'], '  ', ['a']],
])('[CAT-03] insertTerm %s', (_, terms, term, expected) => {
  expect(insertTerm(terms, term)).toEqual(expected);
});

it.each([
  ['latest', undefined, {}],
  ['LATEST', undefined, {}],
  ['audiobooks', undefined, { kind: 'audiobook' }],
  ['topic', 'food', { topic: 'food' }],
  ['level', 'b1', { level: 'B1' }],
  ['narrator', 'Ana Paz', { narrator: 'Ana Paz' }],
  ['topic', undefined, null],
  ['level', 'Z9', null],
  ['latest', 'more', null],
  ['anything', undefined, null],
])('[CAT-04] /articles/%s/%s has the list filter %o', (resource, arg, filter) => {
  expect(parseListFilter(resource, arg)).toEqual(filter);
});
