/** Currencies whose smallest unit is not a hundredth, as card gateways count them; of Stripe's, all that it names. */
const exceptions: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF',
  3: 'BHD JOD KWD OMR TND',
};

/**
 * Returns the number of minor-unit digits of a currency: 2 (BUY-05), 0 for yen, 3 for dinars. Intl's own figure tells how
 * prices are written (no cents for Colombian pesos), not how amounts are counted.
 *
 * @param currency - an ISO 4217 code
 */
export function minorDigits(currency: string): number {
  const found = Object.entries(exceptions).find(([, codes]) => codes.includes(currency.toUpperCase()));
  return found ? Number(found[0]) : 2;
}

/** Formats an amount in minor units for a locale, with further options of `Intl.NumberFormat`. */
export function formatMoney(
  { amount, currency }: { amount: number; currency: string },
  language: string,
  more: Intl.NumberFormatOptions = {},
): string {
  const digits = minorDigits(currency);
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, ...shown, ...more });
  return format.format(amount / 10 ** digits);
}
