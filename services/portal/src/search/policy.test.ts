import { describe, expect, it } from 'vitest';
import { facetsOf, type Group, placesFor, tagsOf } from './policy.ts';

const group = (documents: number, ...tags: string[]): Group => ({ documents, tags });

describe('facets', () => {
  const groups = [
    group(3, 'language:en', 'level:B1', 'kind:article', 'topic:food', 'length:short'),
    group(2, 'language:en', 'level:A1', 'kind:article', 'topic:travel', 'length:short'),
    group(4, 'language:es', 'level:B1', 'kind:audiobook', 'topic:food', 'length:long', 'narrator:Ana'),
  ];

  it('[CAT-03] count every value, levels and lengths in their order, topics the most first', () => {
    expect(facetsOf(groups, {}, groups)).toEqual({
      language: [
        { value: 'en', count: 5 },
        { value: 'es', count: 4 },
      ],
      level: [
        { value: 'A1', count: 2 },
        { value: 'B1', count: 7 },
      ],
      kind: [
        { value: 'article', count: 5 },
        { value: 'audiobook', count: 4 },
      ],
      topic: [
        { value: 'food', count: 7 },
        { value: 'travel', count: 2 },
      ],
      length: [
        { value: 'short', count: 5 },
        { value: 'long', count: 4 },
      ],
    });
  });

  it('[CAT-03] say what choosing another value would give: by the other filters, not by their own', () => {
    const { level, language } = facetsOf(groups, { level: 'B1', language: 'en' }, groups.slice(0, 1));
    expect(level).toEqual([
      { value: 'A1', count: 2 },
      { value: 'B1', count: 3 },
    ]);
    expect(language).toEqual([
      { value: 'en', count: 3 },
      { value: 'es', count: 4 },
    ]);
  });

  it('[CAT-03] of many documents agree with the list: what is chosen, and what may be chosen beside it', () => {
    // Without filters only the best were looked at; with them, others.
    const passing = [group(40, 'language:es', 'level:A1', 'kind:article', 'topic:food', 'length:short')];
    const { level, topic } = facetsOf(groups, { level: 'A1' }, passing);
    expect(level).toEqual([
      { value: 'A1', count: 40 },
      { value: 'B1', count: 7 },
    ]);
    expect(topic).toEqual([{ value: 'food', count: 40 }]);
  });

  it('[CAT-03] filters become tags', () => {
    expect(tagsOf({ level: 'B1', topic: 'daily-life', kind: undefined })).toEqual([
      'level:B1',
      'topic:daily-life',
    ]);
  });
});

describe('places', () => {
  it.each([
    ['few expected: everywhere', 200, 500_000, null],
    ['a small library: everywhere', 900, 1000, null],
    ['nothing expected: everywhere', 0, 500_000, null],
    ['so many that it would be half of all: everywhere', 319, 500_000, null],
    ['a word of every document: the newest shelf', 500_000, 499_700, ['shelf:487']],
    ['a frequent one: the newest shelves', 50_000, 500_000, ['case:61', 'shelf:487', 'shelf:486']],
    [
      'a rarer one: cases of shelves, with a little more than need be',
      5000,
      500_000,
      ['case:61', 'case:60', 'case:59'],
    ],
    [
      'a seldom one: rooms of cases',
      1000,
      500_000,
      ['room:7', 'case:55', 'case:54', 'case:53', 'case:52', 'case:51'],
    ],
  ] as const)('%s', (_name, expected, newest, places) => {
    expect(placesFor(expected, 100, newest)).toEqual(places);
  });
});
