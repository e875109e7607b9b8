import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError, getErrorCode } from '../database-error.ts';
import { spawnAs } from './account.ts';
import { explained, explainedError } from './explain.ts';
import { ownFolder, type Place } from './place.ts';

const run = promisify(execFile);

export const SUPERUSER = 'escucho';
const MAJOR_VERSION = '18';

/**
 * Makes the cluster if there is none: UTF-8, C order, the case rules of Unicode. It is made under another name and
 * moved into place, so a cluster is whole or absent, and of two that make it at once the first wins.
 * On a socket nobody is asked for a password, since only the account may enter its folder; on a port everybody is.
 * @throws DatabaseFault `disk-full`, `not-writable`, `no-account`, `no-binaries`, `wrong-version`, `start-failed`
 */
export async function initialise(place: Place, durable: boolean): Promise<void> {
  if (existsSync(place.cluster)) return checkVersion(place);
  const fresh = await mkdtemp(`${place.cluster}.new-`);
  try {
    await ownFolder(fresh, place.account);
    await runInitdb(place, fresh, durable);
    await rename(fresh, place.cluster);
  } catch (error) {
    if (!existsSync(place.cluster)) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** The password of a server on a port (Windows), made at first need; undefined where a socket guards it. */
export async function portPassword(place: Place): Promise<string | undefined> {
  if (process.platform !== 'win32') return undefined;
  const file = passwordFile(place);
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFile(file, 'utf8');
}

function passwordFile({ root }: Place): string {
  return join(root, 'password');
}

async function runInitdb(place: Place, folder: string, durable: boolean): Promise<void> {
  const password = await portPassword(place);
  const doing = `make a database in ${place.root}`;
  try {
    await run(
      join(place.binaries, 'bin', 'initdb'),
      [
        ...['-D', folder, '-U', SUPERUSER, '-E', 'UTF8', '--locale=C', '--no-instructions'],
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(password
          ? ['--auth=scram-sha-256', '--pwfile', passwordFile(place)]
          : ['--auth-local=trust', '--auth-host=reject']),
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...spawnAs(place.account), encoding: 'utf8' },
    );
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      throw new DatabaseError(
        'no-binaries',
        `The embedded PostgreSQL in ${place.binaries} does not run on this system: set DATABASE_URL to a PostgreSQL server.`,
        { cause: error },
      );
    }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw said === '' ? explainedError(doing, error) : explained(doing, said, error);
  }
}

async function checkVersion({ cluster }: Place): Promise<void> {
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== MAJOR_VERSION) {
    throw explained(
      `open ${cluster}`,
      `The data was initialized by PostgreSQL version ${version}, not ${MAJOR_VERSION}.`,
    );
  }
}
