import type { ListeningStatistics, ProgressCause } from '@escucho/contracts';

/**
 * An event of the log; `at` in milliseconds since the epoch, `position` in seconds. `secondsPlayed` is how long the track has
 * sounded since the device's previous event for it, where the device reports that.
 */
export interface ListeningEvent {
  device: string;
  track: string;
  position: number;
  cause: ProgressCause;
  at: number;
  secondsPlayed: number | null;
}

/** A period in milliseconds since the epoch, without its end. */
interface TimeRange {
  from: number;
  to: number;
}

/** A day in a time zone; `date` as in `2026-11-20`. */
export interface Day extends TimeRange {
  date: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** After these causes a track may be playing. */
const PLAYING_CAUSES: readonly ProgressCause[] = ['play', 'tick', 'hide', 'seek'];
/** The time before these causes may have been listened to. Not `play`, which follows silence, nor `seek`, which reports its target. */
const LISTENED_CAUSES: readonly ProgressCause[] = ['tick', 'pause', 'hide', 'skip', 'ended'];

/**
 * A player skips a track that plays soon after it has last reported. After this time, the user has removed it from Continue
 * listening.
 */
const MAX_TIME_BEFORE_SKIP_MS = 10_000;

/**
 * Creates a function that returns the date at a time.
 *
 * @param timeZone - IANA name
 */
export function createDateFormatter(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => format.format(at);
}

/** Adds days to a date; `days` may be negative. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** Days start at midnight, except those on which daylight saving time skips midnight. */
function findStartOfDay(date: string, formatDate: (at: number) => string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  let [before, within] = [midnight - 15 * HOUR, midnight + 15 * HOUR];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (formatDate(middle) < date) before = middle;
    else within = middle;
  }
  return within;
}

/** Returns the last `count` days, ending with today. */
export function getLastDays(count: number, now: number, formatDate: (at: number) => string): Day[] {
  const today = formatDate(now);
  const dates = Array.from({ length: count + 1 }, (_, index) => addDays(today, index - count + 1));
  const starts = dates.map((date) => findStartOfDay(date, formatDate));
  return dates.slice(0, count).map((date, index) => ({
    date,
    from: starts[index] ?? now,
    to: starts[index + 1] ?? now,
  }));
}

/**
 * Estimates the seconds played between two events by the track's progress: seeks count nothing. Slow speeds, and sentences
 * that are repeated, count less than they took.
 */
function estimateSecondsPlayed(before: ListeningEvent, event: ListeningEvent): number {
  const isPlayed = PLAYING_CAUSES.includes(before.cause) && LISTENED_CAUSES.includes(event.cause);
  const isRemoval =
    event.cause === 'skip' &&
    (before.cause === 'tick' || before.cause === 'hide') &&
    event.at - before.at > MAX_TIME_BEFORE_SKIP_MS;
  return isPlayed && !isRemoval ? event.position - before.position : 0;
}

/**
 * Returns when the user listened. Between two events of a device for a track, the time played counts, but never more than
 * the elapsed time: suspended pages count nothing, and a track at double speed counts the time it took.
 *
 * @param events - those of each device in its order
 */
export function toListeningRanges(events: readonly ListeningEvent[]): TimeRange[] {
  const last = new Map<string, ListeningEvent>();
  const ranges: TimeRange[] = [];
  for (const event of events) {
    const key = `${event.device} ${event.track}`;
    const before = last.get(key);
    last.set(key, event);
    if (!before) continue;
    const played = event.secondsPlayed ?? estimateSecondsPlayed(before, event);
    const length = Math.min(played * 1000, event.at - before.at);
    if (length > 0) ranges.push({ from: event.at - length, to: event.at });
  }
  return ranges;
}

/** Merges overlapping ranges, in order of time. */
export function mergeRanges(spans: readonly TimeRange[]): TimeRange[] {
  const result: TimeRange[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** Returns the listening time of each day in whole seconds. */
export function getSecondsByDay(
  events: readonly ListeningEvent[],
  days: readonly Day[],
): ListeningStatistics['days'] {
  const spans = mergeRanges(toListeningRanges(events));
  return days.map((day) => {
    const within = spans.map(({ from, to }) => Math.min(to, day.to) - Math.max(from, day.from));
    const sum = within.reduce((sum, length) => sum + Math.max(0, length), 0);
    return { date: day.date, seconds: Math.round(sum / 1000) };
  });
}

/** Returns the number of consecutive days with listening up to today, or up to yesterday if there was none today yet. */
export function countDaysInARow(dates: ReadonlySet<string>, today: string): number {
  const last = dates.has(today) ? today : addDays(today, -1);
  let count = 0;
  while (dates.has(addDays(last, -count))) count += 1;
  return count;
}
