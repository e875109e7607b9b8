import type { PurchasesErrorCode } from '../errors.ts';

/** Why a purchase ends in the error screen (section 8). `detail`: the message of the card's provider or of polling. */
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

/** The error code that a failed purchase returns to its caller. */
export const errorCodeByFailure: Readonly<Record<PurchaseFailure['kind'], PurchasesErrorCode>> = {
  'setting-up': 'StoreProblemError',
  charging: 'PaymentPendingError',
  unknown: 'UnknownError',
  network: 'NetworkError',
  'payment-provider': 'StoreProblemError',
  'missing-email': 'PurchaseInvalidError',
  'already-subscribed': 'ProductAlreadyPurchasedError',
};

/** Converts the error of starting a purchase. */
export function toStartFailure(code: PurchasesErrorCode): PurchaseFailure {
  if (code === 'ProductAlreadyPurchasedError') return toPurchaseFailure('already-subscribed');
  return toPurchaseFailure(code === 'NetworkError' ? 'network' : 'setting-up');
}

const setupFailures = [1, 2];
const chargeFailure = 3;

/** Converts the provider's error code: set-up (1, 2), charge (3) or unknown. */
export function toOperationFailure(errorCode: number | null): PurchaseFailure {
  if (errorCode !== null && setupFailures.includes(errorCode)) return toPurchaseFailure('setting-up');
  return toPurchaseFailure(errorCode === chargeFailure ? 'charging' : 'unknown');
}
