import { describe, expect, it } from 'vitest';
import { selectPartitions, type TagGroup, toFacets, toTags } from './policy.ts';

const group = (documents: number, ...tags: string[]): TagGroup => ({ documents, tags });

describe('facets', () => {
  const groups = [
    group(3, 'language:en', 'level:B1', 'kind:article', 'topic:food', 'length:short'),
    group(2, 'language:en', 'level:A1', 'kind:article', 'topic:travel', 'length:short'),
    group(4, 'language:es', 'level:B1', 'kind:audiobook', 'topic:food', 'length:long', 'narrator:Ana'),
  ];

  it('[CAT-03] count every value; topics by frequency, the others in their own order', () => {
    expect(toFacets(groups, {}, groups)).toEqual({
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

  it('[CAT-03] count what another value would find: by the other filters, not their own', () => {
    const { level, language } = toFacets(groups, { level: 'B1', language: 'en' }, groups.slice(0, 1));
    expect(level).toEqual([
      { value: 'A1', count: 2 },
      { value: 'B1', count: 3 },
    ]);
    expect(language).toEqual([
      { value: 'en', count: 3 },
      { value: 'es', count: 4 },
    ]);
  });

  it('[CAT-03] of sampled documents agree with the list for selected and other values', () => {
    // The sample without filters holds other documents than the sample with filters.
    const passing = [group(40, 'language:es', 'level:A1', 'kind:article', 'topic:food', 'length:short')];
    const { level, topic } = toFacets(groups, { level: 'A1' }, passing);
    expect(level).toEqual([
      { value: 'A1', count: 40 },
      { value: 'B1', count: 7 },
    ]);
    expect(topic).toEqual([{ value: 'food', count: 40 }]);
  });

  it('[CAT-03] are filtered by tags', () => {
    expect(toTags({ level: 'B1', topic: 'daily-life', kind: undefined })).toEqual([
      'level:B1',
      'topic:daily-life',
    ]);
  });
});

describe('partitions', () => {
  it.each([
    ['few matches: all documents', 200, 500_000, null],
    ['a small catalogue: all documents', 900, 1000, null],
    ['no matches: all documents', 0, 500_000, null],
    ['a range of more than half: all documents', 319, 500_000, null],
    ['a word of every document: the newest partition', 500_000, 499_700, ['p1:487']],
    ['a frequent word: the newest partitions', 50_000, 500_000, ['p8:61', 'p1:487', 'p1:486']],
    [
      'a rarer word: partitions of the second level, slightly more than needed',
      5000,
      500_000,
      ['p8:61', 'p8:60', 'p8:59'],
    ],
    [
      'a rare word: partitions of the third level',
      1000,
      500_000,
      ['p64:7', 'p8:55', 'p8:54', 'p8:53', 'p8:52', 'p8:51'],
    ],
  ] as const)('%s', (_name, expected, newest, partitions) => {
    expect(selectPartitions(expected, 100, newest)).toEqual(partitions);
  });
});
