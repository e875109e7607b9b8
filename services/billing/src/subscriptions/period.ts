import * as z from 'zod/mini';

const pattern = /^P([1-9]\d{0,2})([DWMY])$/;
const DAY_MS = 86_400_000;

/** An ISO 8601 duration of one number and one unit (`P1M`, `P6M`, `P1Y`, `P3D`). */
export const period = z.string().check(z.regex(pattern));

const units = { D: 'day', W: 'week', M: 'month', Y: 'year' } as const;

/**
 * Parses a period in the form of ISO 8601 with one unit, such as `P6M`.
 *
 * @throws Error for another text: the catalogue is wrong
 */
export function parsePeriod(length: string): { count: number; unit: (typeof units)[keyof typeof units] } {
  const [, digits, letter] = pattern.exec(length) ?? [];
  const unit = Object.entries(units).find(([each]) => each === letter)?.[1];
  if (!unit) throw new Error(`"${length}" is not a period like "P1M".`);
  return { count: Number(digits), unit };
}

/** Adds months. A day that the month does not have becomes its last day. */
function addMonths(start: Date, months: number): Date {
  const moved = new Date(start);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return moved;
}

/**
 * Adds periods to a start. Counts from the start, not from the previous period: what starts on 31 January ends on 28 February
 * and then on 31 March.
 */
export function addPeriods(start: Date, length: string, times: number): Date {
  const { count, unit } = parsePeriod(length);
  const amount = count * times;
  switch (unit) {
    case 'day':
      return new Date(start.getTime() + amount * DAY_MS);
    case 'week':
      return new Date(start.getTime() + amount * 7 * DAY_MS);
    case 'month':
      return addMonths(start, amount);
    case 'year':
      return addMonths(start, amount * 12);
  }
}
