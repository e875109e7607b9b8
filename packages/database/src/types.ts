import { TypeOverrides } from 'pg';

const INT8 = 20;
const DATE = 1082;

/** A whole number as a number where that loses nothing, else as a bigint. */
export function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/**
 * How values arrive: int8 (also `count(*)`) as a number, timestamptz as a Date, date as 'YYYY-MM-DD' (a day has no
 * time zone), numeric as text, json parsed.
 */
export function valueTypes(): TypeOverrides {
  const types = new TypeOverrides();
  types.setTypeParser(INT8, parseInt8);
  types.setTypeParser(DATE, (text) => text);
  return types;
}
