import { describe, expect, it } from 'vitest';
import { type AttemptCounter, countAttempt, countWrongPassword, isLocked } from './policy.ts';

const start = new Date('2026-11-21T12:00:00Z');
const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const minute = 60;
const hour = 60 * minute;

function wrongPasswords(count: number): AttemptCounter {
  let attempts: AttemptCounter | undefined;
  for (let n = 0; n < count; n += 1) attempts = countWrongPassword(attempts, start);
  return attempts ?? { count: 0, firstAt: start, lastAt: start, lockedUntil: null };
}

describe('the lockout', () => {
  it.each([
    [1, 0],
    [4, 0],
    [5, 1],
    [6, 2],
    [8, 8],
    [14, 512],
    [15, 900],
    [40, 900],
  ])('[IDP-03] after %i wrong passwords the account is locked for %i seconds', (count, seconds) => {
    const attempts = wrongPasswords(count);
    expect(isLocked(attempts, at(seconds - 0.001))).toBe(seconds > 0);
    expect(isLocked(attempts, at(seconds))).toBe(false);
  });

  it.each([
    ['one second short of fifteen quiet minutes', 15 * minute - 1, 5],
    ['after fifteen quiet minutes', 15 * minute, 1],
  ])('[IDP-03] four wrong passwords and one %s make %3$i', (_, seconds, count) => {
    expect(countWrongPassword(wrongPasswords(4), at(seconds)).count).toBe(count);
  });

  it('[IDP-03] the 15 minutes begin when a lock ends', () => {
    const locked = wrongPasswords(15);
    expect(countWrongPassword(locked, at(29 * minute)).count).toBe(16);
    expect(countWrongPassword(locked, at(30 * minute)).count).toBe(1);
  });
});

describe('rate limits', () => {
  const take = (count: number, seconds: number[]) => {
    let attempts: AttemptCounter | undefined;
    for (let n = 0; n < count; n += 1) attempts = countAttempt(attempts, 'sign-up-mail', start);
    return seconds.map((second) => countAttempt(attempts, 'sign-up-mail', at(second))?.count);
  };

  it.each([
    ['allows the fifth mail of an hour', 4, hour - 1, 5],
    ['refuses the sixth', 5, hour - 1, undefined],
    ['allows mail again an hour after the first', 5, hour, 1],
    ['refuses the sixth where another process is a minute behind', 5, -minute, undefined],
    ['allows mail where the clock was ahead at the first', 5, -minute - 1, 1],
  ])('[IDP-03] %s', (_, count, second, next) => {
    expect(take(count, [second])).toEqual([next]);
  });
});
