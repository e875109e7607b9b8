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
import { type Account, canRun, findServiceAccount, isRoot } from './account.ts';
import { findBinaries, findInstalledBinaries } from './binaries.ts';
import type { ServerAddress } from './settings.ts';

/** The paths of an embedded cluster, and how it runs. */
export interface ClusterPaths {
  /** The folder that holds all the others: the requested data directory, or the folder its data had to move to. */
  readonly root: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  readonly logFile: string;
  readonly binaries: string;
  readonly account: Account | undefined;
  /** False trades the durability of committed data for speed, for tests. */
  readonly durable: boolean;
  /** Notes for the operator, in sentences. */
  readonly notes: readonly string[];
}

/** Where root puts data and binaries that the service account cannot reach in their own folder. */
const SHARED_ROOT = '/var/lib/escucho';

/** Longest path of a unix socket that every platform accepts. */
const MAX_SOCKET_PATH_BYTES = 90;

const TMP_SOCKET_PREFIX = '/tmp/escucho-';

/**
 * Finds or creates the folders for a data directory; as root, where the service account can reach them.
 *
 * @throws DatabaseError `data-missing`, `not-writable`, `no-account`, `no-binaries`
 */
export async function preparePaths(dataDir: string, durable: boolean): Promise<ClusterPaths> {
  await mkdir(dirname(dataDir), { recursive: true });
  try {
    await mkdir(dataDir);
    await chmod(dataDir, isRoot() ? 0o711 : 0o700);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  }
  const requested = await realpath(dataDir);
  const link = join(requested, 'elsewhere');
  const moved = await readlink(link).catch(() => undefined);
  const account = isRoot()
    ? ((await findClusterOwner(moved ?? requested)) ?? (await findServiceAccount()))
    : undefined;
  const root = moved ? await assertExists(moved, link) : await chooseReachableRoot(requested, link, account);
  const installed = findInstalledBinaries(process.platform, process.arch);
  const binaries = await findBinaries(installed, account ? ensureSharedRoot : async () => root, account);
  const notes = [
    ...(root === requested
      ? []
      : [`PostgreSQL's account cannot reach ${requested}: the data is in ${root} (${link}).`]),
    ...(binaries === installed ? [] : [`PostgreSQL runs from a copy of its programs in ${binaries}.`]),
  ];
  return {
    root,
    cluster: join(root, 'cluster'),
    logFile: join(root, 'postgres.log'),
    binaries,
    account,
    durable,
    notes,
  };
}

/** Returns a folder of mode 0700 for the unix socket: in the data directory, or in /tmp where that path is too long. */
export async function ensureSocketFolder({ root, account }: ClusterPaths): Promise<string> {
  const local = join(root, 'run');
  if (Buffer.byteLength(join(local, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH_BYTES)
    return ensurePrivateFolder(local, account);
  const shared = `${TMP_SOCKET_PREFIX}${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
  const found = await lstat(shared).catch(() => undefined);
  if (!found) return ensurePrivateFolder(shared, account);
  // Never change the permissions of a folder that may belong to another user.
  const isOurs =
    found.isDirectory() &&
    (found.mode & 0o777) === 0o700 &&
    found.uid === (account?.uid ?? process.getuid?.());
  return isOurs ? shared : ensurePrivateFolder(await mkdtemp(TMP_SOCKET_PREFIX), account);
}

/** Removes a socket folder in /tmp if it is empty. */
export async function removeSocketFolder(address: ServerAddress): Promise<void> {
  if ('folder' in address && address.folder.startsWith(TMP_SOCKET_PREFIX))
    await rmdir(address.folder).catch(() => {});
}

/** Creates a folder, unless it exists, that only the account may enter. */
export async function ensurePrivateFolder(folder: string, account: Account | undefined): Promise<string> {
  const present = await lstat(folder).catch(() => undefined);
  if (!present) await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** An existing cluster keeps the account that owns it. */
async function findClusterOwner(root: string): Promise<Account | undefined> {
  const cluster = await stat(join(root, 'cluster')).catch(() => undefined);
  return cluster && cluster.uid !== 0 ? { uid: cluster.uid, gid: cluster.gid } : undefined;
}

async function assertExists(moved: string, link: string): Promise<string> {
  if (await lstat(moved).catch(() => undefined)) return moved;
  throw new DatabaseError(
    'data-missing',
    `The data of ${link} was in ${moved}, which is gone. Put it back, or remove the link to begin with an empty database.`,
  );
}

async function chooseReachableRoot(
  requested: string,
  link: string,
  account: Account | undefined,
): Promise<string> {
  if (await canRun(account, 'cd "$1"', requested)) return requested;
  if (await lstat(join(requested, 'cluster')).catch(() => undefined)) {
    throw new DatabaseError(
      'not-writable',
      `The account that owns the database in ${requested} cannot reach it: let others pass through the folders above it (chmod o+x).`,
    );
  }
  const root = await mkdtemp(join(await ensureSharedRoot(), 'data-'));
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

async function ensureSharedRoot(): Promise<string> {
  await mkdir(SHARED_ROOT, { recursive: true });
  await chmod(SHARED_ROOT, 0o755);
  return SHARED_ROOT;
}
