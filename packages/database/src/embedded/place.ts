import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readlink,
  realpath,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseError, getErrorCode } from '../database-error.ts';
import { type Account, can, isRoot, serviceAccount } from './account.ts';
import { findBinaries, installedBinaries } from './binaries.ts';
import type { Door } from './settings.ts';

/** Every path one embedded cluster uses, and who runs it. */
export interface Place {
  /** The folder that holds all the others: the data directory asked for, or where its data had to go. */
  readonly root: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  readonly logFile: string;
  readonly binaries: string;
  readonly account: Account | undefined;
  /** What an operator should know, in sentences. */
  readonly notes: readonly string[];
}

/** Where root puts what the service account cannot reach elsewhere: data, to which a link stays, and programs. */
const SHELTER = '/var/lib/escucho';

/** Longest path of a unix socket that every platform takes, in bytes. */
const LONGEST_SOCKET_PATH = 90;

const SHARED_FOLDER = '/tmp/escucho-';

/**
 * Finds or makes the folders for a data directory; as root, such that the service account can reach them.
 * @throws DatabaseFault `data-missing`, `not-writable`, `no-account`, `no-binaries`
 */
export async function findPlace(dataDir: string): Promise<Place> {
  await mkdir(dirname(dataDir), { recursive: true });
  try {
    await mkdir(dataDir);
    await chmod(dataDir, isRoot() ? 0o711 : 0o700);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  }
  const asked = await realpath(dataDir);
  const link = join(asked, 'elsewhere');
  const moved = await readlink(link).catch(() => undefined);
  const account = isRoot() ? ((await clusterOwner(moved ?? asked)) ?? (await serviceAccount())) : undefined;
  const root = moved ? await existing(moved, link) : await reachableRoot(asked, link, account);
  const installed = installedBinaries(process.platform, process.arch);
  const binaries = await findBinaries(installed, account ? shelter : async () => root, account);
  const notes = [
    ...(root === asked
      ? []
      : [`PostgreSQL's account cannot reach ${asked}: the data is in ${root} (${link}).`]),
    ...(binaries === installed ? [] : [`PostgreSQL runs from a copy of its programs in ${binaries}.`]),
  ];
  return {
    root,
    cluster: join(root, 'cluster'),
    logFile: join(root, 'postgres.log'),
    binaries,
    account,
    notes,
  };
}

/** A folder of mode 0700 for the unix socket: in the place, or in /tmp where that path would be too long. */
export async function socketFolder({ root, account }: Place): Promise<string> {
  const near = join(root, 'run');
  if (Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH) return ownFolder(near, account);
  const far = `${SHARED_FOLDER}${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
  const found = await lstat(far).catch(() => undefined);
  if (!found) return ownFolder(far, account);
  // never change the rights of what others may have put there
  const ours =
    found.isDirectory() &&
    (found.mode & 0o777) === 0o700 &&
    found.uid === (account?.uid ?? process.getuid?.());
  return ours ? far : ownFolder(await mkdtemp(SHARED_FOLDER), account);
}

/** Removes a socket folder that was made in /tmp, once it is empty. */
export async function removeSocketFolder(door: Door): Promise<void> {
  if ('folder' in door && door.folder.startsWith(SHARED_FOLDER)) await rmdir(door.folder).catch(() => {});
}

/** Makes a folder, if need be, that only the account may enter. */
export async function ownFolder(folder: string, account: Account | undefined): Promise<string> {
  const present = await lstat(folder).catch(() => undefined);
  if (!present) await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** An existing cluster keeps the account that owns it. */
async function clusterOwner(root: string): Promise<Account | undefined> {
  const cluster = await stat(join(root, 'cluster')).catch(() => undefined);
  return cluster && cluster.uid !== 0 ? { uid: cluster.uid, gid: cluster.gid } : undefined;
}

async function existing(moved: string, link: string): Promise<string> {
  if (await lstat(moved).catch(() => undefined)) return moved;
  throw new DatabaseError(
    'data-missing',
    `The data of ${link} was in ${moved}, which is gone. Put it back, or remove the link to begin with an empty database.`,
  );
}

async function reachableRoot(asked: string, link: string, account: Account | undefined): Promise<string> {
  if (await can(account, 'cd "$1"', asked)) return asked;
  if (await lstat(join(asked, 'cluster')).catch(() => undefined)) {
    throw new DatabaseError(
      'not-writable',
      `The account that owns the database in ${asked} cannot reach it: let others pass through the folders above it (chmod o+x).`,
    );
  }
  const root = await mkdtemp(join(await shelter(), 'data-'));
  await chmod(root, 0o711);
  try {
    await symlink(root, link);
    return root;
  } catch (error) {
    await rm(root, { recursive: true });
    if (getErrorCode(error) !== 'EEXIST') throw error;
    return readlink(link);
  }
}

async function shelter(): Promise<string> {
  await mkdir(SHELTER, { recursive: true });
  await chmod(SHELTER, 0o755);
  return SHELTER;
}
