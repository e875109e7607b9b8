/** Failures of the database itself, as opposed to a query. */
export type DatabaseErrorCode =
  | 'bad-url'
  | 'disk-full'
  | 'not-writable'
  | 'no-binaries'
  | 'no-account'
  | 'in-use'
  | 'port-taken'
  | 'wrong-version'
  | 'data-missing'
  | 'start-failed'
  | 'extension-missing'
  | 'migration-name'
  | 'migration-order'
  | 'migration-changed'
  | 'migration-unknown'
  | 'migration-failed'
  | 'backup-damaged'
  | 'backup-empty'
  | 'backup-key'
  | 'backup-mismatch'
  | 'backup-not-empty'
  | 'backup-running'
  | 'backup-missing'
  | 'not-owner'
  | 'same-database'
  | 'direct-differs'
  | 'secrets-differ';

/** An error whose message describes what happened and what to do; `code` is for programs. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the `code` of an error of Node or PostgreSQL (`ENOENT`, `42P01`), if it has one. */
export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * SQLSTATE classes and codes, and codes of Node, of failures that pass: connections, resources, timeouts, conflicts, and
 * writes while the database is read-only.
 */
const transientCodes =
  /^(?:08...|53...|57P0.|57014|25P03|25006|40001|40P01|55P03|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
/** Messages of `pg` and its pool, which have no code, and of a socket that a stopped server has removed. */
const transientMessages =
  /^timeout exceeded when trying to connect|^Connection terminated|connection error|^Query read timeout|^connect ENOENT/;

/** Returns whether the server did not respond to a statement in time. */
export const isResponseTimeout = (error: unknown): boolean => getErrorMessage(error) === 'Query read timeout';

/**
 * Returns whether the same query may succeed later: there was no connection in time, a statement took too long, the server
 * restarts or is read-only for the time of a move, or transactions were in conflict.
 */
export const isTransientError = (error: unknown): boolean =>
  transientCodes.test(getErrorCode(error) ?? '') || transientMessages.test(getErrorMessage(error));

/** Returns whether a transaction ended because of a lock of another one: a deadlock, or the lock was not free in time. */
export const isLockConflict = (error: unknown): boolean =>
  ['40P01', '55P03'].includes(getErrorCode(error) ?? '');

/** Returns whether the role lacks the privilege for a statement. */
export const isInsufficientPrivilege = (error: unknown): boolean => getErrorCode(error) === '42501';

/** Returns whether a row that the statement refers to does not exist: another transaction may have deleted it meanwhile. */
export const isMissingReference = (error: unknown): boolean => getErrorCode(error) === '23503';

/** Returns whether PostgreSQL cannot store a text, or a text in JSON: it contains U+0000. */
export const isUnstorableText = (error: unknown): boolean =>
  ['22021', '22P05'].includes(getErrorCode(error) ?? '');

/** Returns the message of an error, or anything else as text. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
