/** Seconds since 1970, as Stripe counts. */
export const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);

export const HOUR = 3600;
export const DAY = 24 * HOUR;

interface Interval {
  interval: string;
  interval_count: number;
}

/** The anchor so many months later: its own day, or the month's last where it has no such day. */
function monthsAfter(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const clock = anchor % DAY;
  return Date.UTC(from.getUTCFullYear(), month, day) / 1000 + clock;
}

function nth(anchor: number, { interval, interval_count: count }: Interval, n: number): number {
  if (interval === 'day') return anchor + n * count * DAY;
  if (interval === 'week') return anchor + n * count * 7 * DAY;
  return monthsAfter(anchor, n * count * (interval === 'year' ? 12 : 1));
}

/** When the period that begins at `start` ends: the first multiple of the interval from the anchor that is later. */
export function periodEnd(anchor: number, start: number, interval: Interval): number {
  let n = 1;
  while (nth(anchor, interval, n) <= start) n += 1;
  return nth(anchor, interval, n);
}
