import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError, getErrorCode } from '../database-error.ts';
import { spawnOptions } from './account.ts';
import { describeFailure, toDatabaseError } from './failures.ts';
import { type ClusterPaths, ensurePrivateFolder } from './paths.ts';

const run = promisify(execFile);

export const SUPERUSER = 'escucho';
const MAJOR_VERSION = '18';

/**
 * Creates the cluster if there is none: UTF-8, C collation, Unicode case mapping. It is created under another name and
 * renamed, so that a cluster is complete or absent and concurrent starts do not clash. A socket needs no password, since
 * only the account may enter its folder; a port does.
 *
 * @throws DatabaseError `disk-full`, `not-writable`, `no-account`, `no-binaries`, `wrong-version`, `start-failed`
 */
export async function initializeCluster(paths: ClusterPaths, durable: boolean): Promise<void> {
  if (existsSync(paths.cluster)) return assertVersion(paths);
  const fresh = await mkdtemp(`${paths.cluster}.new-`);
  try {
    await ensurePrivateFolder(fresh, paths.account);
    await runInitdb(paths, fresh, durable);
    await rename(fresh, paths.cluster);
  } catch (error) {
    if (!existsSync(paths.cluster)) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Returns the password of a server on a port (Windows), created on first use; undefined for a socket. */
export async function ensurePortPassword(paths: ClusterPaths): Promise<string | undefined> {
  if (process.platform !== 'win32') return undefined;
  const file = getPasswordFile(paths);
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFile(file, 'utf8');
}

function getPasswordFile({ root }: ClusterPaths): string {
  return join(root, 'password');
}

async function runInitdb(paths: ClusterPaths, folder: string, durable: boolean): Promise<void> {
  const password = await ensurePortPassword(paths);
  const action = `make a database in ${paths.root}`;
  try {
    await run(
      join(paths.binaries, 'bin', 'initdb'),
      [
        ...['-D', folder, '-U', SUPERUSER, '-E', 'UTF8', '--locale=C', '--no-instructions'],
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(password
          ? ['--auth=scram-sha-256', '--pwfile', getPasswordFile(paths)]
          : ['--auth-local=trust', '--auth-host=reject']),
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...spawnOptions(paths.account), encoding: 'utf8' },
    );
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      throw new DatabaseError(
        'no-binaries',
        `The embedded PostgreSQL in ${paths.binaries} does not run on this system: set DATABASE_URL to a PostgreSQL server.`,
        { cause: error },
      );
    }
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw output === '' ? toDatabaseError(action, error) : describeFailure(action, output, error);
  }
}

async function assertVersion({ cluster }: ClusterPaths): Promise<void> {
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== MAJOR_VERSION) {
    throw describeFailure(
      `open ${cluster}`,
      `The data was initialized by PostgreSQL version ${version}, not ${MAJOR_VERSION}.`,
    );
  }
}
