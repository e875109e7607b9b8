import * as z from 'zod/mini';

const pattern = /^P([1-9]\d{0,2})([DWMY])$/;
const DAY = 86_400_000;

/** A length of time as the wire names it: one number, one unit (`P1M`, `P6M`, `P1Y`, `P3D`). */
export const period = z.string().check(z.regex(pattern));

/** The same day so many months later, or the month's last where it has no such day. */
function monthsAfter(start: Date, months: number): Date {
  const moved = new Date(start);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return moved;
}

/**
 * When the n-th period from a beginning ends. Counted from the beginning, not from the period before: what began on
 * 31 January ends on 28 February and then on 31 March. In: a period in the wire's words. Throws where it is none.
 */
export function endOf(start: Date, length: string, times: number): Date {
  const [, digits, unit] = pattern.exec(length) ?? [];
  const count = Number(digits) * times;
  switch (unit) {
    case 'D':
      return new Date(start.getTime() + count * DAY);
    case 'W':
      return new Date(start.getTime() + count * 7 * DAY);
    case 'M':
      return monthsAfter(start, count);
    case 'Y':
      return monthsAfter(start, count * 12);
    default:
      throw new Error(`"${length}" is not a period like "P1M".`);
  }
}
