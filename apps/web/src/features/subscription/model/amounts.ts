import type { Period, Price } from '@escucho/purchases';

const minorUnits = 100;

/** A price in the reader's language, with its currency's code: `USD 27`, `USD 2.50`. In: minor units, a hundred to the whole (BUY-05). */
export const priceText = ({ amount, currency }: Price, language: string): string =>
  new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount / minorUnits);

/** A length of time in the reader's language: `3 days`, `1 year`. */
export const lengthText = ({ number, unit }: Period, language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(number);
