import type { Language } from '../choices.ts';

/** Returns a function that creates a value on its first call and returns the same value afterwards. */
export function memoize<Value>(create: () => Value): () => Value {
  let cached: { value: Value } | null = null;
  return () => {
    cached ??= { value: create() };
    return cached.value;
  };
}

const padTwo = (value: number) => String(value).padStart(2, '0');

/** Returns the hours, minutes and seconds of a duration in seconds. */
function splitDuration(seconds: number): [hours: number, minutes: number, seconds: number] {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
}

function formatTime(seconds: number): string {
  const [hours, minutes, rest] = splitDuration(seconds);
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${padTwo(rest)}` : `${minutes}:${padTwo(rest)}`;
}

/**
 * Returns a function that formats numbers. Small ones need no Intl, whose first use loads the browser's data: 30 ms, 120 on
 * a slow phone, in the first render of a page.
 */
export function createNumberFormat(language: Language): (value: number) => string {
  const format = memoize(() => new Intl.NumberFormat(language));
  return (value) =>
    Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : format().format(value);
}

const hourUnits: Record<Language, string> = { en: 'hr', es: 'h' };

/**
 * Creates the formats of dates, numbers and durations in a language. Each Intl object is created on first use, because that
 * takes milliseconds.
 */
export function createFormat(language: Language) {
  const month = memoize(
    () => new Intl.DateTimeFormat(language, { day: '2-digit', month: 'short', year: 'numeric' }),
  );
  const dateTime = memoize(
    () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
  );
  const spoken = memoize(() => ({
    units: (['hour', 'minute', 'second'] as const).map(
      (unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }),
    ),
    list: new Intl.ListFormat(language, { type: 'unit' }),
  }));
  const number = createNumberFormat(language);
  const hour = hourUnits[language];
  const date = (moment: string | Date): string => {
    const parts = new Map(
      month()
        .formatToParts(new Date(moment))
        .map(({ type, value }) => [type, value]),
    );
    return `${parts.get('day')} ${parts.get('month')?.replace('.', '')} ${parts.get('year')}`;
  };
  return {
    /** dd MMM yyyy (CAT-07). */
    date,
    /** A day such as `2026-11-20`, or that of an ISO date in UTC: its midnight would be the day before in the Americas. */
    day: (text: string): string => date(`${text.slice(0, 10)}T12:00:00`),
    /** A date with the time of day, of this device's time zone. */
    dateTime: (moment: string | Date): string => dateTime().format(new Date(moment)),
    number,
    /** A position in a recording, in seconds: 4:37, 1:02:05. */
    time: formatTime,
    /** A duration in seconds, rounded to minutes: 5 min, 1 h 20 min. */
    duration: (seconds: number): string => {
      const all = Math.max(1, Math.round(seconds / 60));
      const [hours, minutes] = [Math.floor(all / 60), all % 60];
      const texts = [hours > 0 && `${number(hours)} ${hour}`, minutes > 0 && `${minutes} min`];
      return texts.filter(Boolean).join(' ');
    },
    /** A duration in words for assistive technology, such as "4 minutes, 37 seconds". */
    spokenDuration: (seconds: number): string => {
      const { units, list } = spoken();
      const values = splitDuration(seconds);
      const texts = units.map((unit, index) => (values[index] ? unit.format(values[index]) : ''));
      return list.format(texts.filter(Boolean)) || (units.at(-1)?.format(0) ?? '');
    },
  };
}

export type Format = ReturnType<typeof createFormat>;

/** Returns the initials of a display name (SHELL-03): of its first and its last word. */
export function getInitials(name: string): string {
  // An accent may be a character of its own.
  const words = name.normalize('NFC').split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toLocaleUpperCase() || '?';
}

/** Returns a text in lower case and without accents, as the server compares texts of bookmarks and words of a search. */
export const normalizeText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
