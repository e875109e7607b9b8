import { describe, expect, it } from 'vitest';
import { createTermStatisticsCache } from './vocabulary-repository.ts';

/** Creates a cache over an empty vocabulary that records the words requested of it. */
function createTestCache() {
  const requested: string[] = [];
  const vocabulary = {
    findStatistics: async (query: string, { isOpen }: { isOpen: boolean }) => {
      requested.push(isOpen ? `${query}…` : query);
      const words = query.split(' ').filter(Boolean);
      return {
        newest: 0,
        counts: { en: 0, es: 0 },
        tagCounts: [],
        words: words.map((word) => ({ word, exact: [], inflected: [], completions: [] })),
      };
    },
  };
  const cache = createTermStatisticsCache();
  const findWords = async (query: string) =>
    (await cache.findStatistics(query, [], vocabulary)).words.map(({ word }) => word);
  return { requested, cache, findWords };
}

describe('the cache of term statistics', () => {
  it('[CAT-03] requests only unknown words; an unfinished last word has an entry of its own', async () => {
    const { requested, findWords } = createTestCache();
    expect(await findWords('blue sea')).toEqual(['blue', 'sea']);
    expect(await findWords('the blue sea')).toEqual(['the', 'blue', 'sea']);
    expect(await findWords('Sea blue')).toEqual(['sea', 'blue']);
    expect(await findWords('the sea blue')).toEqual(['the', 'sea', 'blue']);
    expect(requested).toEqual(['blue sea…', 'the', 'sea blue…']);
  });

  it('[CAT-03] does not cache words that are more than letters and digits', async () => {
    const { requested, findWords } = createTestCache();
    for (const query of ['half-moon', 'half-moon', "d'or", '½']) await findWords(query);
    expect(requested).toEqual(['half-moon…', 'half-moon…', "d'or…", '½…']);
  });

  it('[CAT-03] computes corrections once per word', async () => {
    const { cache } = createTestCache();
    let runs = 0;
    const compute = async () => {
      runs += 1;
      return [];
    };
    await cache.findCorrections('oter', true, compute);
    await cache.findCorrections('oter', true, compute);
    await cache.findCorrections('oter', false, compute);
    expect(runs).toBe(2);
  });
});
