import { memoize } from '../memoize.ts';

/** Everything that is written differently from language to language but is not a word. Durations are seconds. */
export interface Format {
  /** dd MMM yyyy (CAT-07). */
  date: (moment: string | Date) => string;
  number: (value: number) => string;
  /** A place in a recording: 4:37, 1:02:05. */
  time: (seconds: number) => string;
  /** How long something takes, on a chip: 5 min, 1 h 20 min. */
  duration: (seconds: number) => string;
}

const two = (value: number) => String(value).padStart(2, '0');

function clock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const unit = (language: string, name: 'hour' | 'minute') =>
  memoize(() => new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }));

/** The formats of a language, each made when it is first used: making one takes milliseconds. In: `en` or `es`. */
export function createFormat(language: string): Format {
  const month = memoize(
    () => new Intl.DateTimeFormat(language, { day: '2-digit', month: 'short', year: 'numeric' }),
  );
  const number = memoize(() => new Intl.NumberFormat(language));
  const [hour, minute] = [unit(language, 'hour'), unit(language, 'minute')];
  return {
    date: (moment) => {
      const parts = new Map(
        month()
          .formatToParts(new Date(moment))
          .map(({ type, value }) => [type, value]),
      );
      return `${parts.get('day')} ${parts.get('month')?.replace('.', '')} ${parts.get('year')}`;
    },
    number: (value) => number().format(value),
    time: clock,
    duration: (seconds) => {
      const all = Math.max(1, Math.round(seconds / 60));
      const [hours, minutes] = [Math.floor(all / 60), all % 60];
      const words = [hours > 0 && hour().format(hours), minutes > 0 && minute().format(minutes)];
      return words.filter(Boolean).join(' ');
    },
  };
}
