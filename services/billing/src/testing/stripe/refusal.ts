/** Stripe refuses a request: the status and the error that it answers. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;

  constructor(
    status: number,
    error: { type?: string; code?: string; message: string; [more: string]: unknown },
  ) {
    super(error.message);
    this.status = status;
    this.error = { type: 'invalid_request_error', ...error };
  }
}

/** What a path names is not there. */
export const missing = (what: string, id: string) =>
  new Refusal(404, { code: 'resource_missing', param: 'id', message: `No such ${what}: '${id}'` });

/** What a parameter names is not there. */
export const missingParameter = (what: string, param: string, id: string) =>
  new Refusal(400, { code: 'resource_missing', param, message: `No such ${what}: '${id}'` });

/** It is there, and not in a state for this. */
export const impossible = (message: string, code?: string) =>
  new Refusal(400, { ...(code && { code }), message });
