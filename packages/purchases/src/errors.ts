import { codeOfBackend } from './backend-codes.ts';

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

/** A billing call or purchase that failed. `message` is for logs; what the reader is told goes by `code`. */
export class PurchasesError extends Error {
  readonly code: PurchasesErrorCode;

  constructor(code: PurchasesErrorCode, message: string = code, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PurchasesError';
    this.code = code;
  }

  get number(): number {
    return errorNumber[this.code];
  }
}

const partOf = (body: unknown, name: 'code' | 'message'): unknown =>
  typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(name) : undefined;

/**
 * The error of an answer that is no success (SUB-06). In: its status, and its body as JSON, or undefined when it is none.
 * 5xx, and any 4xx without a code of the map, is an unknown backend error.
 */
export function errorOfAnswer(status: number, body: unknown): PurchasesError {
  const said = partOf(body, 'message');
  const message = typeof said === 'string' && said !== '' ? said : `The billing provider answered ${status}.`;
  const known = status >= 400 && status < 500 ? codeOfBackend(partOf(body, 'code')) : undefined;
  return new PurchasesError(known ?? 'UnknownBackendError', message);
}

/** Whatever was thrown, as a billing error. */
export const asPurchasesError = (thrown: unknown): PurchasesError =>
  thrown instanceof PurchasesError
    ? thrown
    : new PurchasesError('UnknownError', String(thrown), { cause: thrown });
