import { describe, expect, it } from 'vitest';
import { getLevelDistance, isSuitable } from './user.ts';

it.each([
  ['A1', 'A1', 0],
  ['A1', 'A2', 1],
  ['C2', 'A1', 5],
] as const)('the distance of %s and %s is %i', (one, other, distance) => {
  expect(getLevelDistance(one, other)).toBe(distance);
});

describe('isSuitable', () => {
  it.each([
    ['the same language and level', ['es', 'A1'], ['es', 'A1'], true],
    ['the next level', ['es', 'A2'], ['es', 'A1'], true],
    ['the level before', ['es', 'A1'], ['es', 'A2'], true],
    ['two levels away', ['es', 'B1'], ['es', 'A1'], false],
    ['another language', ['en', 'A1'], ['es', 'A1'], false],
    ['any level where none was chosen', ['es', 'C2'], ['es', null], true],
    ['any language where none was chosen', ['en', 'A2'], [null, 'A1'], true],
    ['another level where no language was chosen', ['en', 'C1'], [null, 'A1'], false],
    ['anything where nothing was chosen', ['en', 'C1'], [null, null], true],
  ] as const)('%s', (_, [language, level], [learned, own], expected) => {
    expect(isSuitable({ language, level }, { language: learned, level: own })).toBe(expected);
  });
});
