const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const format =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) UTC (\d{4})$/;

/** The moment of a TIMESTAMP such as `Mon Jan 5 07:08:09 UTC 2026`, or nothing where it is none. */
export function readTimestamp(text: string): Date | undefined {
  const [, month = '', ...numbers] = format.exec(text) ?? [];
  const [day = 0, hours = 0, minutes = 0, seconds = 0, year = 0] = numbers.map(Number);
  const monthIndex = months.indexOf(month);
  const moment = new Date(Date.UTC(year, monthIndex, day, hours, minutes, seconds));
  const real =
    moment.getUTCMonth() === monthIndex &&
    moment.getUTCDate() === day &&
    moment.getUTCHours() === hours &&
    moment.getUTCMinutes() === minutes &&
    moment.getUTCSeconds() === seconds;
  return real ? moment : undefined;
}
