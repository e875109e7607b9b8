import type { ListeningStatistics, ProgressCause } from '@escucho/contracts';

/** An entry of the journal as the figures need it; `at` in milliseconds since 1970, `position` in seconds. */
export interface ListeningEvent {
  device: string;
  track: string;
  position: number;
  cause: ProgressCause;
  at: number;
}

/** A stretch of time, in milliseconds since 1970; `to` is no more in it. */
export interface TimeRange {
  from: number;
  to: number;
}

/** A day of a time zone, by its name (`2026-11-20`). */
export interface Day extends TimeRange {
  date: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** After these a track may be playing; after the others it is not. */
const PLAYING_CAUSES: readonly ProgressCause[] = ['play', 'tick', 'hide', 'seek'];
/** What comes before these was heard; before `play` there was silence, and a seek says where it went, not whence. */
const LISTENED_CAUSES: readonly ProgressCause[] = ['tick', 'pause', 'hide', 'skip', 'ended'];

/** In: a time zone by its IANA name. Out: which day it is there at a moment. */
export function createDateFormatter(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  });
  return (at) => format.format(at);
}

/** The day before or after, by name. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** When a day begins. Days begin at midnight, but for those whose midnight the clocks leap over. */
function findStartOfDay(date: string, dateAt: (at: number) => string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  let [before, within] = [midnight - 15 * HOUR, midnight + 15 * HOUR];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dateAt(middle) < date) before = middle;
    else within = middle;
  }
  return within;
}

/** The last days, today as the last. In: how many, the time, the zone's calendar. */
export function getLastDays(count: number, now: number, dateAt: (at: number) => string): Day[] {
  const today = dateAt(now);
  const dates = Array.from({ length: count + 1 }, (_, index) => addDays(today, index - count + 1));
  const beginnings = dates.map((date) => findStartOfDay(date, dateAt));
  return dates.slice(0, count).map((date, index) => ({
    date,
    from: beginnings[index] ?? now,
    to: beginnings[index + 1] ?? now,
  }));
}

/**
 * When somebody listened. In: entries, those of each device in its order. Between two entries of a device for a track as
 * much time counts as the track went on, and never more than passed: so a seek counts for nothing, nor does a page that
 * slept, and a track at double speed counts the time it took.
 */
export function toListeningRanges(entries: readonly ListeningEvent[]): TimeRange[] {
  const last = new Map<string, ListeningEvent>();
  return entries.flatMap((entry) => {
    const key = `${entry.device} ${entry.track}`;
    const before = last.get(key);
    last.set(key, entry);
    if (!before || !PLAYING_CAUSES.includes(before.cause) || !LISTENED_CAUSES.includes(entry.cause))
      return [];
    const length = Math.min((entry.position - before.position) * 1000, entry.at - before.at);
    return length > 0 ? [{ from: entry.at - length, to: entry.at }] : [];
  });
}

/** The same time, each moment of it once, in order. */
export function mergeRanges(spans: readonly TimeRange[]): TimeRange[] {
  const result: TimeRange[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** How long somebody listened on each day, in whole seconds. */
export function getSecondsByDay(
  entries: readonly ListeningEvent[],
  days: readonly Day[],
): ListeningStatistics['days'] {
  const spans = mergeRanges(toListeningRanges(entries));
  return days.map((day) => {
    const within = spans.map(({ from, to }) => Math.min(to, day.to) - Math.max(from, day.from));
    const sum = within.reduce((sum, length) => sum + Math.max(0, length), 0);
    return { date: day.date, seconds: Math.round(sum / 1000) };
  });
}

/** How many days in a row something was heard, up to today, or to yesterday while today is still silent. */
export function countDaysInARow(dates: ReadonlySet<string>, today: string): number {
  const last = dates.has(today) ? today : addDays(today, -1);
  let count = 0;
  while (dates.has(addDays(last, -count))) count += 1;
  return count;
}
