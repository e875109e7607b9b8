import type { Period } from '@escucho/purchases';
import type { CountKey, Key, T } from '../../../shared/i18n/i18n.ts';
import { lengthText } from './amounts.ts';

type Unit = Period['unit'];

const trials: Record<Unit, CountKey> = {
  day: 'subscription.trialDay',
  week: 'subscription.trialWeek',
  month: 'subscription.trialMonth',
  year: 'subscription.trialYear',
};

const renewals: Record<Unit, Key> = {
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

/** How often it goes on: `Renews yearly`, `Renews every 6 months` (BUY-05). */
export const renewalText = (period: Period, language: string, t: T): string =>
  period.number === 1
    ? t(renewals[period.unit])
    : t('checkout.renewsEvery', { length: lengthText(period, language) });
