export type PeriodUnit = 'year' | 'month' | 'week' | 'day';

/** A length of time in one unit, e.g. six months. */
export interface Period {
  number: number;
  unit: PeriodUnit;
}

const units: Readonly<Record<string, PeriodUnit>> = { Y: 'year', M: 'month', W: 'week', D: 'day' };

/** Reads an ISO 8601 period of one unit: years, months, weeks or days (BUY-05). Out: null for anything else. */
export function parsePeriod(text: string | null): Period | null {
  const [, digits, letter] = /^PT?(\d+)([YMWD])$/.exec(text ?? '') ?? [];
  const unit = units[letter ?? ''];
  return unit ? { number: Number(digits), unit } : null;
}
