import * as z from 'zod/mini';

const pattern = /^P([1-9]\d{0,2})([DWMY])$/;
const DAY = 86_400_000;

/** A length of time as the wire names it: one number, one unit (`P1M`, `P6M`, `P1Y`, `P3D`). */
export const period = z.string().check(z.regex(pattern));

const units = { D: 'day', W: 'week', M: 'month', Y: 'year' } as const;

/** A length of time taken apart. Throws where it is none. */
export function parsePeriod(length: string): { count: number; unit: (typeof units)[keyof typeof units] } {
  const [, digits, letter] = pattern.exec(length) ?? [];
  const unit = Object.entries(units).find(([each]) => each === letter)?.[1];
  if (!unit) throw new Error(`"${length}" is not a period like "P1M".`);
  return { count: Number(digits), unit };
}

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
 * When the n-th period from a toStartEvents ends. Counted from the toStartEvents, not from the period before: what began on
 * 31 January ends on 28 February and then on 31 March. In: a period in the wire's words. Throws where it is none.
 */
export function addPeriods(start: Date, length: string, times: number): Date {
  const { count, unit } = parsePeriod(length);
  const passed = count * times;
  switch (unit) {
    case 'day':
      return new Date(start.getTime() + passed * DAY);
    case 'week':
      return new Date(start.getTime() + passed * 7 * DAY);
    case 'month':
      return monthsAfter(start, passed);
    case 'year':
      return monthsAfter(start, passed * 12);
  }
}
