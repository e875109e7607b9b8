import { type PurchaseFailure, tooManyAttempts } from '@escucho/purchases';
import type { MessageKey } from '#shared/i18n/i18n.ts';

const words: Record<Exclude<PurchaseFailure['kind'], 'payment-provider'>, MessageKey> = {
  'setting-up': 'checkout.notStarted',
  charging: 'checkout.paymentFailed',
  unknown: 'checkout.unknown',
  network: 'checkout.network',
  'missing-email': 'checkout.missingEmail',
  'already-subscribed': 'checkout.already',
};

/** The text of the error screen (section 8). In: the fault, and how keys become words. Of the card's provider it is its own message. */
export function faultText({ kind, detail }: PurchaseFailure, t: (key: MessageKey) => string): string {
  if (kind === 'payment-provider') return detail ?? t('checkout.paymentFailed');
  return t(detail === tooManyAttempts ? 'checkout.maxAttempts' : words[kind]);
}

/** Whether money may have moved although the purchase did not end well. */
export const mayBePaid = ({ kind, detail }: PurchaseFailure): boolean =>
  detail === tooManyAttempts || kind === 'network';
