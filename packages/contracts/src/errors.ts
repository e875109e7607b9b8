import * as z from 'zod/mini';

/** Error codes and the HTTP status of each. */
export const errorStatus = {
  invalid_request: 400,
  unauthorized: 401,
  token_expired: 401,
  reauthentication_required: 401,
  operator_plan_ended: 401,
  subscription_required: 403,
  forbidden: 403,
  link_expired: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  limit_reached: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** An error of one field: `path` as sent (`query.limit`), `code` a message key or zod's issue code. */
export const fieldError = z.object({ path: z.string(), code: z.string(), message: z.string() });
export type FieldError = z.infer<typeof fieldError>;

/** The body of every error response: code, message in the user's language, field errors, request id. */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.optional(z.array(fieldError)),
    requestId: z.optional(z.string()),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** A field error without its message, which the response adds in the language of the request. */
export type FieldProblem = Omit<FieldError, 'message'>;

/** An error with a code of the table, optional field errors, and the cause for the log. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldProblem[];

  constructor(code: ErrorCode, options: { fields?: readonly FieldProblem[]; cause?: unknown } = {}) {
    super(code, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields ?? [];
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Returns whether a text is an error code. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorStatus, text);
}
