import { expect, it } from 'vitest';
import { addPeriod, getMonthlyPrice } from './plans.ts';

it.each([
  [{ number: 1, unit: 'year' }, 225],
  [{ number: 6, unit: 'month' }, 450],
  [{ number: 1, unit: 'month' }, null],
  [{ number: 2, unit: 'week' }, null],
] as const)('a plan of %j costs %s a month', (period, expected) => {
  expect(getMonthlyPrice({ amount: 2700, currency: 'USD' }, period)?.amount ?? null).toBe(expected);
});

it.each([
  [{ number: 3, unit: 'day' }, new Date(2027, 1, 3)],
  [{ number: 1, unit: 'week' }, new Date(2027, 1, 7)],
  [{ number: 1, unit: 'month' }, new Date(2027, 1, 28)],
  [{ number: 1, unit: 'year' }, new Date(2028, 0, 31)],
] as const)('%j after the last of January 2027 is %s', (period, expected) => {
  expect(addPeriod(new Date(2027, 0, 31), period)).toEqual(expected);
});
