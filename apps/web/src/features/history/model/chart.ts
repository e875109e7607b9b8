import type { ListeningStatistics } from '@escucho/contracts';

type Day = ListeningStatistics['days'][number];

/** A day as a bar: its height from 0 to 1. */
export interface Bar extends Day {
  height: number;
}

/** Bars of this many seconds reach half way up at least, so that a few minutes do not look like a record. */
const roomySeconds = 20 * 60;

/** The days as bars, the longest to the top. */
export function barsOf(days: readonly Day[]): Bar[] {
  const top = Math.max(roomySeconds, ...days.map(({ seconds }) => seconds));
  return days.map((day) => ({ ...day, height: day.seconds / top }));
}

/** What was heard in the last so many days, in seconds. */
export const secondsOfLast = (count: number, days: readonly Day[]): number =>
  days.slice(-count).reduce((sum, { seconds }) => sum + seconds, 0);

/** What there is to say: nothing was ever heard, the row ends unless something is heard today, or only the figures. */
export function standingOf({ days, daysInARow, finished }: ListeningStatistics): 'new' | 'at-risk' | 'fine' {
  if (finished === 0 && daysInARow === 0 && secondsOfLast(days.length, days) === 0) return 'new';
  return daysInARow > 0 && days.at(-1)?.seconds === 0 ? 'at-risk' : 'fine';
}

/** A day's name (`2026-11-20`) as a moment in the middle of that day here. */
export const noonOf = (date: string): Date => new Date(`${date}T12:00:00`);
