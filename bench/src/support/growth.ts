import type { Sample } from '../../../apps/server/src/testing/listeners/processes.ts';
import type { Result } from '../measurement.ts';

const MINUTE_MS = 60_000;
const BYTES_PER_MB = 2 ** 20;

/** Returns the slope of a linear regression, per hour. */
function getHourlyGrowth(points: readonly { minute: number; value: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ minute }) => minute)), mean(points.map(({ value }) => value))];
  const covariance = mean(points.map(({ minute, value }) => (minute - x) * (value - y)));
  return (covariance / mean(points.map(({ minute }) => (minute - x) ** 2))) * 60;
}

/** Returns the lowest value of each minute: that of the heap is about what remains after garbage collection. */
function getLowestByMinute(samples: readonly Sample[], read: (sample: Sample) => number) {
  const lowest = new Map<number, number>();
  for (const sample of samples) {
    const minute = Math.floor(sample.at / MINUTE_MS);
    lowest.set(minute, Math.min(lowest.get(minute) ?? Number.POSITIVE_INFINITY, read(sample)));
  }
  return [...lowest].map(([minute, value]) => ({ minute, value }));
}

/**
 * Describes memory and sockets of a process over time: the lowest value of each minute, and its growth.
 *
 * @param warmUpMinutes how long memory grows because caches fill; growth is measured afterwards
 */
export function describeGrowth(name: string, samples: readonly Sample[], warmUpMinutes: number): Result[] {
  const describe = (label: string, unit: string, read: (sample: Sample) => number): Result[] => {
    const points = getLowestByMinute(samples, read);
    const warm = points.filter(({ minute }) => minute >= warmUpMinutes);
    const first = { label: `${name}, ${label}, at first`, unit, values: [points[0]?.value ?? Number.NaN] };
    if (warm.length < 2) return [first];
    const values = warm.map(({ value }) => value);
    const growth = [getHourlyGrowth(warm)];
    return [
      first,
      { label: `${name}, ${label}, after ${warmUpMinutes} min`, unit, values },
      { label: `${name}, ${label}, growth per hour then`, unit, values: growth },
    ];
  };
  return [
    ...describe('resident memory', 'MB', ({ resident }) => resident / BYTES_PER_MB),
    ...describe('JavaScript heap', 'MB', ({ heap }) => heap / BYTES_PER_MB),
    ...describe('open sockets', '', ({ sockets }) => sockets),
  ];
}
