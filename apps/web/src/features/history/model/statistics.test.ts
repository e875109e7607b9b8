import { describe, expect, it } from 'vitest';
import { getStreakState, sumLastDays, toBars } from './statistics.ts';

const days = (...seconds: number[]) =>
  seconds.map((one, index) => ({ date: `2026-11-${String(index + 10)}`, seconds: one }));

describe('[CAT-05] listening statistics', () => {
  it.each([
    ['scales to the longest day', [0, 1800, 3600], [0, 0.5, 1]],
    ['scales a few minutes to 20 minutes', [0, 120, 600], [0, 0.1, 0.5]],
    ['draws nothing for days without listening', [0, 0, 0], [0, 0, 0]],
  ])('%s', (_, seconds, heights) => {
    expect(toBars(days(...seconds)).map(({ height }) => height)).toEqual(heights);
  });

  it('sums the last days', () => {
    expect(sumLastDays(2, days(1, 10, 100))).toBe(110);
    expect(sumLastDays(7, days(1, 10, 100))).toBe(111);
  });

  it.each([
    ['is new before anything was played', [0, 0], 0, 0, 'new'],
    ['is fine when something was finished long ago', [0, 0], 0, 1, 'fine'],
    ['is at risk when nothing was played today', [60, 0], 3, 0, 'at-risk'],
    ['is fine when something was played today', [60, 5], 4, 0, 'fine'],
  ] as const)('%s', (_, seconds, daysInARow, finished, state) => {
    expect(getStreakState({ days: days(...seconds), daysInARow, finished })).toBe(state);
  });
});
