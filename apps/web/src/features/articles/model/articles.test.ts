import { describe, expect, it } from 'vitest';
import { asked, filtersOf, isNarrowed } from './filters.ts';
import { piecesOf } from './marks.ts';
import { meantAs } from './meant.ts';
import { remembered } from './recent.ts';
import { listOf, partsOf } from './resources.ts';

describe('[CAT-03] the filters of an address', () => {
  it.each([
    ['', {}],
    ['language=es&level=B1', { language: 'es', level: 'B1' }],
    ['kind=visual-book&length=short&topic=food', { kind: 'visual-book', length: 'short', topic: 'food' }],
    ['language=fr&level=Z9&kind=&length=huge', {}],
    [`topic=${'x'.repeat(61)}`, {}],
    ['page=3&level=A1', { level: 'A1' }],
  ])('%s', (query, filters) => {
    const read = filtersOf(new URLSearchParams(query));
    expect(asked(read)).toEqual(filters);
    expect(isNarrowed(read)).toBe(Object.keys(filters).length > 0);
  });
});

describe('[CAT-03] words that name a filter', () => {
  it.each([
    ['spanish', {}, '', { language: 'es' }],
    ['Historias en  ESPAÑOL', {}, 'Historias en', { language: 'es' }],
    ['inglés b1', {}, '', { language: 'en', level: 'B1' }],
    ['audiolibros del mar', { level: 'A2' }, 'del mar', { level: 'A2', kind: 'audiobook' }],
    ['english tea', { language: 'es' }, 'tea', { language: 'en' }],
    ['spanish english', {}, '', { language: 'en' }],
  ] as const)('%s', (term, chosen, rest, filters) => {
    expect(meantAs(term, chosen)).toMatchObject({ term: rest, filters });
  });

  it.each([
    ['danish', {}],
    ['', {}],
    ['constructor', {}],
    ['spanish harbour', { language: 'es' }],
  ] as const)('none in “%s”', (term, chosen) => {
    expect(meantAs(term, chosen)).toBeNull();
  });
});

it.each<[string, string, [number, number][], string]>([
  ['nothing', 'the ferry', [], 'the ferry'],
  ['a beginning', 'the ferry', [[0, 3]], '[the] ferry'],
  ['an end', 'the ferry', [[4, 9]], 'the [ferry]'],
  ['all of it', 'ferry', [[0, 5]], '[ferry]'],
  [
    'marks that touch',
    'the ferry',
    [
      [0, 3],
      [3, 5],
    ],
    '[the][ f]erry',
  ],
  ['marks beyond the end', 'ferry', [[3, 99]], 'fer[ry]'],
  ['an emoji before', '🚢 ferry', [[3, 8]], '🚢 [ferry]'],
])('[CAT-03] marks %s', (_, text, marks, shown) => {
  const pieces = piecesOf(text, marks);
  expect(pieces.map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text)).join('')).toBe(shown);
});

it.each([
  ['a new term comes first', ['b', 'a'], 'c', ['c', 'b', 'a']],
  ['an old one comes back to the front, as it is written now', ['b', 'Ferry'], 'ferry', ['ferry', 'b']],
  ['eight are kept', ['1', '2', '3', '4', '5', '6', '7', '8'], '9', ['9', '1', '2', '3', '4', '5', '6', '7']],
  ['nothing is none', ['a'], '  ', ['a']],
])('[CAT-03] recent searches: %s', (_, terms, term, kept) => {
  expect(remembered(terms, term)).toEqual(kept);
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
])('[CAT-04] /articles/%s/%s names the list %o', (resource, arg, listed) => {
  expect(listOf(resource, arg)).toEqual(listed);
});

it('[CAT-04] a text has its chapters, and they their paragraphs', () => {
  const at = (paragraph: number, chapter: number | null) => ({ paragraph, chapter });
  const [a, b, c, d] = [at(0, null), at(0, null), at(1, 0), at(2, 0)];
  expect(partsOf([a, b, c, d])).toEqual([
    { chapter: null, paragraphs: [[a, b]] },
    { chapter: 0, paragraphs: [[c], [d]] },
  ]);
});
