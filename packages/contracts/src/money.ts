/** Currencies whose minor unit is not a hundredth, by the number of digits, as Stripe lists them. */
const exceptions: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF',
  3: 'BHD JOD KWD OMR TND',
};

/**
 * Returns the number of minor-unit digits of a currency: 2 (BUY-05), 0 for yen, 3 for dinars. Intl's number is how
 * prices are written (no cents for Colombian pesos), not how amounts are counted.
 *
 * @param currency - an ISO 4217 code
 */
function getMinorDigits(currency: string): number {
  const found = Object.entries(exceptions).find(([, codes]) => codes.includes(currency.toUpperCase()));
  return found ? Number(found[0]) : 2;
}

/** Formats an amount in minor units for a locale, with further options of `Intl.NumberFormat`. */
export function formatMoney(
  { amount, currency }: { amount: number; currency: string },
  language: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const digits = getMinorDigits(currency);
  const digitOptions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    ...digitOptions,
    ...options,
  });
  return format.format(amount / 10 ** digits);
}
