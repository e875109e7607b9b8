import type { ListeningStatistics } from '@escucho/contracts';

type Day = ListeningStatistics['days'][number];

/** The bar of a day; its height is between 0 and 1. */
interface Bar extends Day {
  height: number;
}

/** The least value of the chart's upper end, so that a few minutes do not fill it. */
const MIN_SCALE_SECONDS = 20 * 60;

/** Returns the bars of a chart, scaled to the longest day. */
export function toBars(days: readonly Day[]): Bar[] {
  const top = Math.max(MIN_SCALE_SECONDS, ...days.map(({ seconds }) => seconds));
  return days.map((day) => ({ ...day, height: day.seconds / top }));
}

/** Returns the seconds listened in the last days. */
export const sumLastDays = (count: number, days: readonly Day[]): number =>
  days.slice(-count).reduce((sum, { seconds }) => sum + seconds, 0);

/**
 * Returns the state of a user's statistics: `new` before anything was listened to, `at-risk` where the days in a row end
 * unless something is listened to today.
 */
export function getStreakState({ days, daysInARow, finished }: ListeningStatistics) {
  if (finished === 0 && daysInARow === 0 && sumLastDays(days.length, days) === 0) return 'new';
  return daysInARow > 0 && days.at(-1)?.seconds === 0 ? 'at-risk' : 'fine';
}
