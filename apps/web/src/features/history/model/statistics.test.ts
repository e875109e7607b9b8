import { describe, expect, it } from 'vitest';
import { getStreakState, sumLastDays, toBars, toLocalNoon } from './statistics.ts';

const days = (...seconds: number[]) =>
  seconds.map((one, index) => ({ date: `2026-11-${String(index + 10)}`, seconds: one }));

describe('[CAT-05] listening as a chart', () => {
  it.each([
    ['the longest day reaches the top', [0, 1800, 3600], [0, 0.5, 1]],
    ['a few minutes do not', [0, 120, 600], [0, 0.1, 0.5]],
    ['silence draws nothing', [0, 0, 0], [0, 0, 0]],
  ])('%s', (_, seconds, heights) => {
    expect(toBars(days(...seconds)).map(({ height }) => height)).toEqual(heights);
  });

  it('sums the last days', () => {
    expect(sumLastDays(2, days(1, 10, 100))).toBe(110);
    expect(sumLastDays(7, days(1, 10, 100))).toBe(111);
  });

  it.each([
    ['nothing was ever heard', [0, 0], 0, 0, 'new'],
    ['something was finished long ago', [0, 0], 0, 1, 'fine'],
    ['today is still silent', [60, 0], 3, 0, 'at-risk'],
    ['today counts already', [60, 5], 4, 0, 'fine'],
  ] as const)('%s', (_, seconds, daysInARow, finished, standing) => {
    expect(getStreakState({ days: days(...seconds), daysInARow, finished })).toBe(standing);
  });

  it('a day’s name is that day here, in any time zone', () => {
    expect([toLocalNoon('2026-03-29').getDate(), toLocalNoon('2026-03-29').getMonth()]).toEqual([29, 2]);
  });
});
