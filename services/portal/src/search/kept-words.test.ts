import { describe, expect, it } from 'vitest';
import { keptWords } from './kept-words.ts';

/** A vocabulary that knows nothing, in a state of the catalogue, and notes what it is asked. */
function vocabulary() {
  const asked: string[] = [];
  const state = { version: '1' };
  const index = {
    understand: async (query: string, { isOpen }: { isOpen: boolean }) => {
      asked.push(isOpen ? `${query}…` : query);
      const words = query.split(' ').filter(Boolean);
      const { version } = state;
      return {
        ...{ version, newest: 0, amounts: { en: 0, es: 0 }, tagged: [] },
        words: words.map((word) => ({ word, same: [], inflected: [], begun: [] })),
      };
    },
  };
  const kept = keptWords();
  const words = async (query: string) =>
    (await kept.understand(query, [], index)).words.map(({ word }) => word);
  return { asked, state, kept, words };
}

describe('words that were looked for before', () => {
  it('[CAT-03] are known: only others are asked for, and a last one, which may be unfinished, is another', async () => {
    const { asked, words } = vocabulary();
    expect(await words('blue sea')).toEqual(['blue', 'sea']);
    expect(await words('the blue sea')).toEqual(['the', 'blue', 'sea']);
    expect(await words('Sea blue')).toEqual(['sea', 'blue']);
    expect(await words('the sea blue')).toEqual(['the', 'sea', 'blue']);
    expect(asked).toEqual(['blue sea…', 'the', 'sea blue…']);
  });

  it('[CAT-03] are asked for again once the catalogue has changed', async () => {
    const { asked, state, kept, words } = vocabulary();
    await words('blue sea');
    state.version = '2';
    // Nobody has seen it yet.
    expect(await words('blue sea')).toEqual(['blue', 'sea']);
    expect(await words('blue moon')).toEqual(['blue', 'moon']);
    kept.forget('3');
    await words('moon');
    expect(asked).toEqual(['blue sea…', 'moon…', 'blue', 'moon…']);
  });

  it('[CAT-03] are asked for each time where they are more than letters', async () => {
    const { asked, words } = vocabulary();
    for (const query of ['half-moon', 'half-moon', "d'or", '½']) await words(query);
    expect(asked).toEqual(['half-moon…', 'half-moon…', "d'or…", '½…']);
  });

  it('[CAT-03] are guessed once', async () => {
    const { kept } = vocabulary();
    let times = 0;
    const look = async () => {
      times += 1;
      return [];
    };
    await kept.guess('oter', true, look);
    await kept.guess('oter', true, look);
    await kept.guess('oter', false, look);
    expect(times).toBe(2);
  });
});
