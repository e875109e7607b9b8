import type { PurchasesErrorCode } from './errors.ts';

/** The provider's own codes, 7000 to 7814, and the billing error each is (SUB-06). */
const backendCodes: Readonly<Record<number, PurchasesErrorCode>> = {
  7000: 'ConfigurationError',
  7101: 'StoreProblemError',
  7102: 'ReceiptAlreadyInUseError',
  7103: 'InvalidReceiptError',
  7104: 'UnexpectedBackendResponseError',
  7105: 'PurchaseInvalidError',
  7106: 'PurchaseInvalidError',
  7107: 'InvalidCredentialsError',
  7110: 'UnexpectedBackendResponseError',
  7220: 'InvalidAppUserIdError',
  7224: 'InvalidCredentialsError',
  7225: 'InvalidCredentialsError',
  7226: 'UnexpectedBackendResponseError',
  7229: 'StoreProblemError',
  7230: 'ConfigurationError',
  7231: 'StoreProblemError',
  7232: 'IneligibleError',
  7234: 'UnexpectedBackendResponseError',
  7263: 'InvalidSubscriberAttributesError',
  7264: 'InvalidSubscriberAttributesError',
  7662: 'UnsupportedError',
  7772: 'ProductAlreadyPurchasedError',
  7814: 'PurchaseInvalidError',
};

/** The billing error of a code as it came; undefined when it is none of the provider's. */
export const codeOfBackend = (code: unknown): PurchasesErrorCode | undefined =>
  typeof code === 'number' ? backendCodes[code] : undefined;
