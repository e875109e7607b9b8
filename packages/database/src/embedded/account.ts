import { execFile, type SpawnOptions } from 'node:child_process';
import { promisify } from 'node:util';
import { DatabaseError } from '../database-error.ts';

const run = promisify(execFile);

/** The system account that PostgreSQL runs under when we are root, which it refuses to be. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account to take: `postgres` where the machine has one, else `nobody`.
 * @throws DatabaseFault `no-account` when it has neither.
 */
export async function serviceAccount(): Promise<Account> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // this machine has no such account
    }
  }
  throw new DatabaseError(
    'no-account',
    'PostgreSQL does not run as root, and this machine has neither a postgres nor a nobody account: ' +
      'start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Spawn options that make a child run as the account, without the settings of PostgreSQL clients around it. */
export function spawnAs(account: Account | undefined): SpawnOptions {
  if (process.platform === 'win32') return { windowsHide: true };
  return { ...account, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' } };
}

/** Whether a shell test such as `cd "$1"` succeeds for the account; always true when it is ourselves. */
export async function can(account: Account | undefined, script: string, path: string): Promise<boolean> {
  if (!account) return true;
  try {
    await run('/bin/sh', ['-c', script, 'sh', path], { ...spawnAs(account), encoding: 'utf8' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') {
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
