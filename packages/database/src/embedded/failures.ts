import { DatabaseError, type DatabaseErrorCode, getErrorMessage } from '../database-error.ts';

const KNOWN_FAILURES: readonly (readonly [RegExp, DatabaseErrorCode, string])[] = [
  [
    /No space left on device|ENOSPC|EDQUOT|Disk quota exceeded/,
    'disk-full',
    'The disk is full: free some space, then start again.',
  ],
  [
    /initialized by PostgreSQL version|incompatible with server/,
    'wrong-version',
    'The data was written by another version of PostgreSQL: start the earlier version of this program, back up, and restore into an empty data directory.',
  ],
  [
    /could not look up effective user ID/,
    'no-account',
    'PostgreSQL needs an account with a name, and this one has none: add it to /etc/passwd, or set DATABASE_URL.',
  ],
  [
    /Address already in use|could not create any TCP\/IP sockets|EADDRINUSE/,
    'port-taken',
    'The address PostgreSQL listens on is taken: end the program that holds it, then start again.',
  ],
  [
    /Permission denied|Read-only file system|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT.* mkdir/,
    'not-writable',
    'The data directory cannot be written: check its owner and permissions, or set DATA_DIR.',
  ],
];

/**
 * Turns the output of PostgreSQL, or Node's message about a file, into an error with advice.
 *
 * @param action - what was attempted, e.g. `start PostgreSQL in /srv/data`
 */
export function describeFailure(action: string, output: string, cause?: unknown): DatabaseError {
  const [, code, advice] = KNOWN_FAILURES.find(([sign]) => sign.test(output)) ?? [];
  const excerpt = output.trim().split('\n').slice(-8).join('\n');
  return new DatabaseError(code ?? 'start-failed', `Could not ${action}. ${advice ?? ''}\n${excerpt}`, {
    cause,
  });
}

/** Returns a `DatabaseError` as it is; gives errors of the file system a code and advice. */
export function toDatabaseError(action: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  return describeFailure(action, getErrorMessage(error), error);
}
