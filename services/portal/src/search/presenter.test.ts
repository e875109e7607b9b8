import { describe, expect, it } from 'vitest';
import { findHighlights } from './presenter.ts';

describe('highlights', () => {
  it.each([
    ['match in any case', 'The BUS that stayed', ['bus'], ['BUS']],
    ['match with any accents', 'La luna en el cajón. Cajon', ['cajon'], ['cajón', 'Cajon']],
    ['match whole words only', 'businesses and a bus', ['bus'], ['bus']],
    [
      'match with or without an apostrophe',
      "The Otter's Pocket; don’t",
      ['otters', 'dont'],
      ["Otter's", 'don’t'],
    ],
    ['match several forms', 'Papa, papas', ['papa', 'papas'], ['Papa', 'papas']],
    [
      'match words in quotes, not the beginning of another word',
      "'Bus', a bus's ’bus’",
      ['bus'],
      ['Bus', 'bus'],
    ],
    ['match ligatures', 'Straße und Œuvre', ['strasse', 'oeuvre'], ['Straße', 'Œuvre']],
    ['match combining accents', 'cajo\u0301n', ['cajon'], ['cajo\u0301n']],
    ['do not match a longer word with accents', 'año ñandú', ['ano'], ['año']],
    ['are empty without a match', 'nothing of it', ['otter'], []],
  ])('[CAT-03] %s', (_name, text, words, expected) => {
    const highlights = findHighlights(text, new Set(words));
    expect(highlights.map(([from, to]) => text.slice(from, to))).toEqual(expected);
  });
});
