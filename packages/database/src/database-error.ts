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
  | 'backup-key'
  | 'backup-mismatch'
  | 'backup-not-empty'
  | 'backup-running'
  | 'backup-missing';

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

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
