import { DatabaseError, type DatabaseErrorCode, getErrorMessage } from '../database-error.ts';

const SIGNS: readonly (readonly [RegExp, DatabaseErrorCode, string])[] = [
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
 * Turns what PostgreSQL wrote while it failed, or what Node said of a file, into a fault with advice.
 * `doing` says what was tried, e.g. `start PostgreSQL in /srv/data`.
 */
export function explained(doing: string, output: string, cause?: unknown): DatabaseError {
  const [, code, advice] = SIGNS.find(([sign]) => sign.test(output)) ?? [];
  const said = output.trim().split('\n').slice(-8).join('\n');
  return new DatabaseError(code ?? 'start-failed', `Could not ${doing}. ${advice ?? ''}\n${said}`, { cause });
}

/** A fault passes as it is; an error of the file system gets its code and advice. */
export function explainedError(doing: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  return explained(doing, getErrorMessage(error), error);
}
