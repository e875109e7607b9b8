import { expect, it } from 'vitest';
import { formatMoney } from './plan.ts';

it.each([
  ['hundredths', 2700, 'USD', '$27.00'],
  ['hundredths that people do not write', 1_500_000, 'COP', 'COP 15,000.00'],
  ['no smaller unit', 1500, 'JPY', '¥1,500'],
  ['no smaller unit', 9900, 'CLP', 'CLP 9,900'],
  ['thousandths', 1250, 'KWD', 'KWD 1.250'],
])('[BUY-05] a currency with %s: %i %s is %s', (_name, amount, currency, text) => {
  expect(formatMoney({ amount, currency }, 'en').replace('\u00a0', ' ')).toBe(text);
});
