import type { Plan } from '@escucho/contracts';
import { type Period, parsePeriod } from '@escucho/purchases';
import type { MessageKey, PluralKey, T } from '#shared/i18n/i18n.ts';
import { lengthText, priceText } from './amounts.ts';

type Unit = Period['unit'];

const trials: Record<Unit, PluralKey> = {
  day: 'subscription.trialDay',
  week: 'subscription.trialWeek',
  month: 'subscription.trialMonth',
  year: 'subscription.trialYear',
};

const renewals: Record<Unit, MessageKey> = {
  day: 'checkout.renewsDay',
  week: 'checkout.renewsWeek',
  month: 'checkout.renewsMonth',
  year: 'checkout.renewsYear',
};

/** `3-day free trial`. */
export const trialText = ({ number, unit }: Period, t: T): string => t.count(trials[unit], number);

/** How often a price is paid: `per year`, `every 6 months`. */
export const frequencyText = (period: Period, language: string, t: T): string =>
  period.number === 1
    ? t(`subscription.${period.unit}`)
    : t('subscription.every', { length: lengthText(period, language) });

const names: Readonly<Record<string, MessageKey>> = {
  '1 year': 'subscription.yearly',
  '6 month': 'subscription.sixMonth',
  '1 month': 'subscription.monthly',
};

/** A plan's name: our own words for the plans of section 9, the provider's title for any other. */
export function planName(period: Period | null, title: string, t: T): string {
  const name = period && names[`${period.number} ${period.unit}`];
  return name ? t(name) : title;
}

/** A plan of the portal in words: its name, what it costs, and how often. */
export function termsOf({ title, price, period }: Plan, language: string, t: T) {
  const every = parsePeriod(period);
  return {
    plan: planName(every, title, t),
    price: priceText(price, language),
    often: every ? frequencyText(every, language, t) : '',
  };
}

/** How often it goes on: `Renews yearly`, `Renews every 6 months` (BUY-05). */
export const renewalText = (period: Period, language: string, t: T): string =>
  period.number === 1
    ? t(renewals[period.unit])
    : t('checkout.renewsEvery', { length: lengthText(period, language) });
