/** Currencies whose smallest unit is not a hundredth, as card gateways count them; of Stripe's, all that it names. */
const exceptions: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF',
  3: 'BHD JOD KWD OMR TND',
};

/**
 * How many digits of an amount in the smallest unit are behind the point: 2 (BUY-05), but none of a yen, 3 of a dinar.
 * Intl's own figure is how people write prices (no hundredths of a Colombian peso), not how they are counted. In: an
 * ISO 4217 code.
 */
export function minorDigits(currency: string): number {
  const found = Object.entries(exceptions).find(([, codes]) => codes.includes(currency.toUpperCase()));
  return found ? Number(found[0]) : 2;
}

/** Writes an amount in the smallest unit in somebody's language, with all that Intl is told besides. */
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
