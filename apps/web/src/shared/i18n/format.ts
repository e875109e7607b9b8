import { memoize } from '../memoize.ts';

/** Formats dates, numbers and durations in a language. */
export interface Format {
  /** dd MMM yyyy (CAT-07). */
  date: (moment: string | Date) => string;
  /** A date with the time of day, of this device's time zone. */
  dateTime: (moment: string | Date) => string;
  number: (value: number) => string;
  /** A position in a recording, in seconds: 4:37, 1:02:05. */
  time: (seconds: number) => string;
  /** A duration in seconds, rounded to minutes: 5 min, 1 h 20 min. */
  duration: (seconds: number) => string;
}

const padTwo = (value: number) => String(value).padStart(2, '0');

function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${padTwo(rest)}` : `${minutes}:${padTwo(rest)}`;
}

const createUnitFormat = (language: string, name: 'hour' | 'minute') =>
  memoize(() => new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }));

/** Creates the formats of a language. Each Intl object is created on first use, because that takes milliseconds. */
export function createFormat(language: string): Format {
  const month = memoize(
    () => new Intl.DateTimeFormat(language, { day: '2-digit', month: 'short', year: 'numeric' }),
  );
  const dateTime = memoize(
    () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
  );
  const number = memoize(() => new Intl.NumberFormat(language));
  const [hour, minute] = [createUnitFormat(language, 'hour'), createUnitFormat(language, 'minute')];
  return {
    date: (moment) => {
      const parts = new Map(
        month()
          .formatToParts(new Date(moment))
          .map(({ type, value }) => [type, value]),
      );
      return `${parts.get('day')} ${parts.get('month')?.replace('.', '')} ${parts.get('year')}`;
    },
    dateTime: (moment) => dateTime().format(new Date(moment)),
    number: (value) => number().format(value),
    time: formatTime,
    duration: (seconds) => {
      const all = Math.max(1, Math.round(seconds / 60));
      const [hours, minutes] = [Math.floor(all / 60), all % 60];
      const texts = [hours > 0 && hour().format(hours), minutes > 0 && minute().format(minutes)];
      return texts.filter(Boolean).join(' ');
    },
  };
}
