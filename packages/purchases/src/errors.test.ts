import { describe, expect, it } from 'vitest';
import { errorNumber, PurchasesError, parseErrorResponse, toPurchasesError } from './errors.ts';

const map: [backend: number, name: string, number: number][] = [
  [7000, 'ConfigurationError', 23],
  [7101, 'StoreProblemError', 2],
  [7102, 'ReceiptAlreadyInUseError', 7],
  [7103, 'InvalidReceiptError', 8],
  [7104, 'UnexpectedBackendResponseError', 12],
  [7105, 'PurchaseInvalidError', 4],
  [7106, 'PurchaseInvalidError', 4],
  [7107, 'InvalidCredentialsError', 11],
  [7110, 'UnexpectedBackendResponseError', 12],
  [7220, 'InvalidAppUserIdError', 14],
  [7224, 'InvalidCredentialsError', 11],
  [7225, 'InvalidCredentialsError', 11],
  [7226, 'UnexpectedBackendResponseError', 12],
  [7229, 'StoreProblemError', 2],
  [7230, 'ConfigurationError', 23],
  [7231, 'StoreProblemError', 2],
  [7232, 'IneligibleError', 18],
  [7234, 'UnexpectedBackendResponseError', 12],
  [7263, 'InvalidSubscriberAttributesError', 21],
  [7264, 'InvalidSubscriberAttributesError', 21],
  [7662, 'UnsupportedError', 24],
  [7772, 'ProductAlreadyPurchasedError', 6],
  [7814, 'PurchaseInvalidError', 4],
];

describe('[SUB-06] an error response becomes a billing error', () => {
  it.each(map)('backend code %i is %s (%i), with the message of the server', (code, name, number) => {
    const error = parseErrorResponse(400, { code, message: 'Because.' });
    expect(error).toMatchObject({ code: name, number, message: 'Because.' });
  });

  it.each([
    [500, { code: 7225, message: 'A code on a 5xx does not count.' }],
    [503, undefined],
    [404, { code: 7999, message: 'Unmapped.' }],
    [404, { code: '7225' }],
    [400, { message: 'No code.' }],
    [400, null],
    [418, 'tea'],
    [404, undefined],
  ])('%i with %j is an unknown backend error (16)', (status, body) => {
    expect(parseErrorResponse(status, body)).toMatchObject({ code: 'UnknownBackendError', number: 16 });
  });

  it('returns a PurchasesError unchanged and converts everything else to UnknownError', () => {
    const known = new PurchasesError('StoreProblemError');
    expect(toPurchasesError(known)).toBe(known);
    expect(toPurchasesError(new TypeError('oops'))).toMatchObject({ code: 'UnknownError', number: 0 });
  });

  it('has a unique number for every error of the catalogue', () => {
    const numbers = Object.values(errorNumber);
    expect(numbers).toHaveLength(24);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
