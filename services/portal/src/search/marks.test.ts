import { describe, expect, it } from 'vitest';
import { marksOf } from './marks.ts';

describe('marks', () => {
  it.each([
    ['whatever case', 'The BUS that stayed', ['bus'], ['BUS']],
    ['whatever accents', 'La luna en el cajón. Cajon', ['cajon'], ['cajón', 'Cajon']],
    ['whole words alone', 'businesses and a bus', ['bus'], ['bus']],
    ['with an apostrophe or without', "The Otter's Pocket; don’t", ['otters', 'dont'], ["Otter's", 'don’t']],
    ['several forms', 'Papa, papas', ['papa', 'papas'], ['Papa', 'papas']],
    ['at the beginning of no other word, in quotes', "'Bus', a bus's ’bus’", ['bus'], ['Bus', 'bus']],
    ['with letters that are two', 'Straße und Œuvre', ['strasse', 'oeuvre'], ['Straße', 'Œuvre']],
    ['whose accents are characters of their own', 'cajo\u0301n', ['cajon'], ['cajo\u0301n']],
    ['beside letters of other alphabets', 'año ñandú', ['ano'], ['año']],
    ['nothing', 'nothing of it', ['otter'], []],
  ])('[CAT-03] %s', (_name, text, words, expected) => {
    const marks = marksOf(text, new Set(words));
    expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(expected);
  });
});
