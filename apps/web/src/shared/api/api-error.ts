import type { ErrorCode, FieldError } from '@escucho/contracts';
import type { MessageKey } from '../i18n/i18n.ts';

/** A failed API call: an error code of the contracts, or `network` without a response (status 0). */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network';
  readonly status: number;
  readonly fields: readonly FieldError[];

  constructor(code: ErrorCode | 'network', status: number, fields: readonly FieldError[] = []) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

/** Returns the key of the message for an error. */
export function getErrorKey(error: unknown): MessageKey {
  if (!(error instanceof ApiError)) return 'internal';
  return error.code === 'network' ? 'common.network' : error.code;
}

/** Returns whether an address names nothing: the call by its id failed, because the id is unknown or no id. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_request');
