/** The billing errors of section 8 and their numbers (SUB-06). */
export const errorNumber = {
  UnknownError: 0,
  UserCancelledError: 1,
  StoreProblemError: 2,
  PurchaseNotAllowedError: 3,
  PurchaseInvalidError: 4,
  ProductNotAvailableForPurchaseError: 5,
  ProductAlreadyPurchasedError: 6,
  ReceiptAlreadyInUseError: 7,
  InvalidReceiptError: 8,
  MissingReceiptFileError: 9,
  NetworkError: 10,
  InvalidCredentialsError: 11,
  UnexpectedBackendResponseError: 12,
  InvalidAppUserIdError: 14,
  OperationAlreadyInProgressError: 15,
  UnknownBackendError: 16,
  IneligibleError: 18,
  InsufficientPermissionsError: 19,
  PaymentPendingError: 20,
  InvalidSubscriberAttributesError: 21,
  ConfigurationError: 23,
  UnsupportedError: 24,
  CustomerInfoError: 28,
  SignatureVerificationError: 36,
} as const;

export type PurchasesErrorCode = keyof typeof errorNumber;

/** A billing call or purchase that failed. `message` is for logs; messages for users depend on `code`. */
export class PurchasesError extends Error {
  readonly code: PurchasesErrorCode;
  /** The code in the provider's error response, if there was one. */
  readonly backendCode: number | undefined;

  constructor(
    code: PurchasesErrorCode,
    message: string = code,
    { backendCode, ...options }: ErrorOptions & { backendCode?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'PurchasesError';
    this.code = code;
    this.backendCode = backendCode;
  }

  get number(): number {
    return errorNumber[this.code];
  }
}

/** The errors of the provider's codes (SUB-06). */
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

/**
 * Converts an error response (SUB-06). 5xx, and 4xx without a known code, are `UnknownBackendError`.
 *
 * @param body - the parsed JSON
 */
export function parseErrorResponse(status: number, body: unknown): PurchasesError {
  const { code, message: text }: { code?: unknown; message?: unknown } = Object(body);
  const message = typeof text === 'string' && text !== '' ? text : `The billing provider answered ${status}.`;
  const backendCode = status < 500 && typeof code === 'number' ? code : undefined;
  return new PurchasesError(backendCodes[backendCode ?? 0] ?? 'UnknownBackendError', message, {
    backendCode,
  });
}

/** Converts anything thrown to a PurchasesError. */
export const toPurchasesError = (thrown: unknown): PurchasesError =>
  thrown instanceof PurchasesError
    ? thrown
    : new PurchasesError('UnknownError', String(thrown), { cause: thrown });

/** Returns whether a repeated call can succeed: after a network or server error, not after a refusal. */
export const isTransient = ({ code }: PurchasesError): boolean =>
  code === 'NetworkError' || code === 'UnknownBackendError';
