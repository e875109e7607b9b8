import { formatMoney, type Plan, type PurchasedSubscription } from '@escucho/contracts';
import { type Package, type Period, type Price, parsePeriod } from '@escucho/purchases';
import type { Format, MessageKey, T } from '#shared/i18n/i18n.ts';

/** Formats a price in the currency's smallest unit with its currency code: `USD 27`, `USD 2.50` (BUY-05). */
export const formatPrice = (price: Price, language: string): string =>
  formatMoney(price, language, { currencyDisplay: 'code', trailingZeroDisplay: 'stripIfInteger' });

const formatPeriod = ({ number, unit }: Period, language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(number);

/** Returns how often a price is paid: `per year`, `every 6 months`. */
const getFrequencyText = (period: Period, language: string, t: T): string =>
  period.number === 1
    ? t(`subscription.${period.unit}`)
    : t('subscription.every', { length: formatPeriod(period, language) });

/** Returns what a plan of several months costs a month, rounded; null for other plans. */
export function getMonthlyPrice(price: Price, period: Period): Price | null {
  const months = { day: 0, week: 0, month: 1, year: 12 }[period.unit] * period.number;
  return months > 1 ? { ...price, amount: Math.round(price.amount / months) } : null;
}

/** Returns the day after a period, in the device's time zone. A month ends on its last day at the latest. */
export function addPeriod(from: Date, { number, unit }: Period): Date {
  const date = new Date(from);
  if (unit === 'day' || unit === 'week') {
    date.setDate(date.getDate() + number * (unit === 'week' ? 7 : 1));
    return date;
  }
  const months = number * (unit === 'year' ? 12 : 1);
  const day = date.getDate();
  date.setMonth(date.getMonth() + months);
  if (date.getDate() !== day) date.setDate(0);
  return date;
}

/** Returns how often a plan renews: `Renews yearly`, `Renews every 6 months` (BUY-05). */
export const getRenewalText = (period: Period, language: string, t: T): string =>
  period.number === 1
    ? t(`checkout.renews_${period.unit}`)
    : t('checkout.renewsEvery', { length: formatPeriod(period, language) });

const planKeys: Readonly<Record<string, MessageKey>> = {
  '1 year': 'subscription.yearly',
  '6 month': 'subscription.sixMonth',
  '1 month': 'subscription.monthly',
};

/** Returns a plan's translated name for the plans of section 9, otherwise the provider's title. */
export function getPlanName(period: Period | null, title: string, t: T): string {
  const key = period && planKeys[`${period.number} ${period.unit}`];
  return key ? t(key) : title;
}

/** Returns the texts of a plan on offer; null for those that it does not have. */
export function getOfferTexts({ title, defaultOption }: Package['product'], language: string, t: T) {
  const { price, period } = defaultOption.base;
  const trial = defaultOption.trial?.period;
  const monthly = period && getMonthlyPrice(price, period);
  return {
    plan: getPlanName(period, title, t),
    price: formatPrice(price, language),
    often: period && getFrequencyText(period, language, t),
    /** What a plan of several months costs a month. */
    monthly: monthly && t('subscription.aMonth', { price: formatPrice(monthly, language) }),
    /** `3-day free trial` */
    trial: trial ? t.count(`subscription.trial_${trial.unit}`, trial.number) : null,
  };
}

/** Returns a plan's name, price and frequency as texts. */
export function getPlanTerms({ title, price, period }: Plan, language: string, t: T) {
  const parsed = parsePeriod(period);
  return {
    plan: getPlanName(parsed, title, t),
    price: formatPrice(price, language),
    often: parsed ? getFrequencyText(parsed, language, t) : '',
  };
}

/** Returns the text of a plan's most urgent status (SUB-07). An unpaid plan stays open until its grace period ends. */
export function getStatusText(
  current: PurchasedSubscription,
  language: string,
  t: T,
  format: Format,
): string {
  const { billingIssueAt, graceEndsAt, willRenew, unsubscribedAt, isTrial, endsAt } = current;
  if (billingIssueAt && !unsubscribedAt) {
    const until = { date: graceEndsAt ? format.date(graceEndsAt) : '' };
    if (current.needsConfirmation) return t('manage.unconfirmed', until);
    return graceEndsAt ? t('manage.unpaid', until) : t('manage.unpaidEnded');
  }
  const until = { date: format.date(endsAt) };
  if (!willRenew) return t('manage.endsOn', until);
  if (!isTrial) return t('manage.renewsOn', until);
  return t('manage.trialUntil', { ...until, ...getPlanTerms(current.nextPlan ?? current.plan, language, t) });
}
