import type { PurchasesErrorCode } from '../errors.ts';

/** What ends a purchase in the error screen (section 8). `detail` is what the card's provider, or polling, has to say. */
export interface PurchaseFailure {
  kind:
    | 'setting-up'
    | 'charging'
    | 'unknown'
    | 'network'
    | 'payment-provider'
    | 'missing-email'
    | 'already-subscribed';
  detail: string | null;
}

export const toPurchaseFailure = (
  kind: PurchaseFailure['kind'],
  detail: string | null = null,
): PurchaseFailure => ({
  kind,
  detail,
});

/** The billing error that a purchase which ended so is for whoever asked for it. */
export const codeOfFault: Readonly<Record<PurchaseFailure['kind'], PurchasesErrorCode>> = {
  'setting-up': 'StoreProblemError',
  charging: 'PaymentPendingError',
  unknown: 'UnknownError',
  network: 'NetworkError',
  'payment-provider': 'StoreProblemError',
  'missing-email': 'PurchaseInvalidError',
  'already-subscribed': 'ProductAlreadyPurchasedError',
};

/** Why a purchase could not be begun. */
export function faultOfStart(code: PurchasesErrorCode): PurchaseFailure {
  if (code === 'ProductAlreadyPurchasedError') return toPurchaseFailure('already-subscribed');
  return toPurchaseFailure(code === 'NetworkError' ? 'network' : 'setting-up');
}

const setupFailures = [1, 2];
const chargeFailure = 3;

/** Why the provider failed a purchase: setting the card up (1, 2), charging it (3), or it does not say. */
export function faultOfOperation(errorCode: number | null): PurchaseFailure {
  if (errorCode !== null && setupFailures.includes(errorCode)) return toPurchaseFailure('setting-up');
  return toPurchaseFailure(errorCode === chargeFailure ? 'charging' : 'unknown');
}
