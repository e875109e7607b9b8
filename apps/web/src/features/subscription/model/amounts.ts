import { formatMoney } from '@escucho/contracts';
import type { Period, Price } from '@escucho/purchases';

/** A price in the reader's language, with its currency's code: `USD 27`, `USD 2.50`. In: the currency's smallest unit (BUY-05). */
export const priceText = (price: Price, language: string): string =>
  formatMoney(price, language, { currencyDisplay: 'code', trailingZeroDisplay: 'stripIfInteger' });

/** A length of time in the reader's language: `3 days`, `1 year`. */
export const lengthText = ({ number, unit }: Period, language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(number);
