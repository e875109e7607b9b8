import { execFile, type SpawnOptions } from 'node:child_process';
import { promisify } from 'node:util';
import { DatabaseError, getErrorCode } from '../database-error.ts';

const run = promisify(execFile);

/** The system account that PostgreSQL runs as when this process is root: PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns whether this process runs as root, which PostgreSQL refuses. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns the account `postgres` if the machine has it, else `nobody`.
 *
 * @throws DatabaseError `no-account` when it has neither.
 */
export async function findServiceAccount(): Promise<Account> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // The machine has no such account.
    }
  }
  throw new DatabaseError(
    'no-account',
    'PostgreSQL does not run as root, and this machine has neither a postgres nor a nobody account: ' +
      'start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Returns spawn options that run a child as the account, without the PG* variables of the environment. */
export function spawnOptions(account: Account | undefined): SpawnOptions {
  if (process.platform === 'win32') return { windowsHide: true };
  return { ...account, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' } };
}

/**
 * Returns whether a shell test such as `cd "$1"` succeeds for the account; always true without one.
 *
 * @throws DatabaseError `no-account` where this process may not change to the account
 */
export async function canRun(account: Account | undefined, script: string, path: string): Promise<boolean> {
  if (!account) return true;
  try {
    await run('/bin/sh', ['-c', script, 'sh', path], { ...spawnOptions(account), encoding: 'utf8' });
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EPERM') {
      throw new DatabaseError(
        'no-account',
        'PostgreSQL does not run as root, and this process may not change to another account: ' +
          'start as an ordinary user, or set DATABASE_URL.',
        { cause: error },
      );
    }
    return false;
  }
}
