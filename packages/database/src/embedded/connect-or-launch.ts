import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Connection, clientConfig } from '../connection.ts';
import { DatabaseError, getErrorCode } from '../database-error.ts';
import { spawnOptions } from './account.ts';
import { type ClusterPaths, ensurePrivateFolder } from './paths.ts';
import { clearStalePidFile, isClusterProcess, readPidFile } from './pid-file.ts';
import {
  chooseAddress,
  describeFailure,
  type Launch,
  launchServer,
  stopOrphanedServers,
  toDatabaseError,
} from './server.ts';
import type { ServerAddress } from './settings.ts';

const SUPERUSER = 'escucho';
const MAJOR_VERSION = '18';
const START_TIMEOUT_MS = 120_000;

const getPasswordFile = (root: string) => join(root, 'password');

/** A server that accepts connections, and a client connected to its maintenance database. */
export interface RunningServer {
  readonly client: Client;
  readonly pid: number;
  readonly address: ServerAddress;
  readonly connection: Connection;
  /** False when the server was already running. */
  readonly launched: boolean;
}

/**
 * Connects to the cluster's server: to the one that runs, after waiting for one that starts or stops, or to a new one.
 *
 * @param address - the address that clients already use, if any
 * @throws DatabaseError with PostgreSQL's own output when the server does not start
 */
export async function connectOrLaunch(paths: ClusterPaths, address?: ServerAddress): Promise<RunningServer> {
  const action = `start PostgreSQL in ${paths.root}`;
  const end = Date.now() + START_TIMEOUT_MS;
  let started: Launch | undefined;
  while (Date.now() < end) {
    const found = readPidFile(paths.cluster);
    if (found && isClusterProcess(found.pid, paths.cluster)) {
      const connection = toConnection(found.address, await ensurePortPassword(paths));
      const client = await tryConnect(connection);
      if (client)
        return { client, ...found, connection, launched: started !== undefined && !started.hasFailed() };
    } else if (!started || started.hasFailed()) {
      if (started) {
        if (!canRetry(started.output())) throw describeFailure(action, started.output());
        await delay(100);
      }
      await stopOrphanedServers(paths);
      await initializeCluster(paths);
      if (found) clearStalePidFile(paths.cluster, found);
      started = launchServer(paths, address ?? (await chooseAddress(paths)));
    }
    await delay(10);
  }
  throw describeFailure(action, started?.output() ?? 'The running server does not answer.');
}

/** Child processes of a killed server may outlive it for a moment, and another start may have been faster. */
function canRetry(output: string): boolean {
  return /pre-existing shared memory block|lock file ".*" already exists/.test(output);
}

/**
 * Returns the connection to the embedded server that runs on a data directory, without taking ownership, for commands
 * used next to the running product. Undefined when none runs there.
 */
export async function findRunningEmbedded(dataDir: string): Promise<Connection | undefined> {
  const requested = resolve(dataDir);
  const root = await readlink(join(requested, 'elsewhere')).catch(() => requested);
  const found = readPidFile(join(root, 'cluster'));
  if (!found) return undefined;
  const password = getPasswordFile(root);
  const connection = toConnection(
    found.address,
    existsSync(password) ? await readFile(password, 'utf8') : undefined,
  );
  const client = await tryConnect(connection);
  await client?.end();
  return client ? connection : undefined;
}

/** The advisory lock of the one process that may stop the server; released when that process ends. */
const OWNERSHIP_LOCK = [1_163_084_627, 1];

/** Error codes of a server that is starting, stopping, or not listening yet. */
const UNAVAILABLE_CODES = new Set([
  '57P03',
  '57P01',
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Returns whether a connection failed because the server is starting, stopping, or not listening yet. */
export function isTemporarilyUnavailable(error: unknown): boolean {
  return UNAVAILABLE_CODES.has(getErrorCode(error) ?? '');
}

/** Returns the connection to an embedded server. */
function toConnection(address: ServerAddress, password: string | undefined): Connection {
  return {
    ...('folder' in address
      ? { host: address.folder, port: 5432 }
      : { host: '127.0.0.1', port: address.port }),
    database: 'escucho',
    user: SUPERUSER,
    ...(password === undefined ? {} : { password }),
  };
}

/** Connects to the maintenance database. Returns undefined when the server does not accept connections at the moment. */
async function tryConnect(connection: Connection): Promise<Client | undefined> {
  const client = new Client({
    ...clientConfig({ ...connection, database: 'postgres' }, `escucho owner ${process.pid}`),
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (getErrorCode(error) === undefined || isTemporarilyUnavailable(error)) return undefined;
    throw error;
  }
}

/**
 * Makes this client's process the owner of the server for as long as the client stays connected.
 *
 * @throws DatabaseError `in-use`, naming the process that owns it
 */
export async function acquireOwnership(client: Client, dataDir: string): Promise<void> {
  const lock = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1, $2) as taken',
    OWNERSHIP_LOCK,
  );
  if (lock.rows[0]?.taken) return;
  const owner = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and granted and classid = $1 and objid = $2`,
    OWNERSHIP_LOCK,
  );
  await client.end();
  const pid = owner.rows[0]?.name.split(' ').at(-1) ?? 'unknown';
  throw new DatabaseError(
    'in-use',
    `The database in ${dataDir} is in use by process ${pid}: stop that one first, or set another DATA_DIR.`,
  );
}

/** Creates the application's database at the first start. */
export async function ensureDatabase(client: Client, name: string): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [name]);
  if (found.rows.length > 0) return;
  // By default the database is copied through shared buffers, which stay occupied by the copy.
  await client.query(`create database ${client.escapeIdentifier(name)} strategy file_copy`);
}

/**
 * Creates the cluster if there is none: UTF-8, C collation, Unicode case mapping. It is created under another name and
 * renamed, so that a cluster is complete or absent and concurrent starts do not clash. A socket needs no password, since
 * only the account may enter its folder; a port does.
 *
 * @throws DatabaseError `disk-full`, `not-writable`, `no-account`, `no-binaries`, `wrong-version`, `start-failed`
 */
async function initializeCluster(paths: ClusterPaths): Promise<void> {
  if (existsSync(paths.cluster)) return assertVersion(paths);
  const fresh = await mkdtemp(`${paths.cluster}.new-`);
  try {
    await ensurePrivateFolder(fresh, paths.account);
    await runInitdb(paths, fresh);
    await rename(fresh, paths.cluster);
  } catch (error) {
    if (!existsSync(paths.cluster)) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Returns the password of a server on a port (Windows), created on first use; undefined for a socket. */
async function ensurePortPassword(paths: ClusterPaths): Promise<string | undefined> {
  if (process.platform !== 'win32') return undefined;
  const file = getPasswordFile(paths.root);
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFile(file, 'utf8');
}

async function runInitdb(paths: ClusterPaths, folder: string): Promise<void> {
  const password = await ensurePortPassword(paths);
  const action = `make a database in ${paths.root}`;
  try {
    await promisify(execFile)(
      join(paths.binaries, 'bin', 'initdb'),
      [
        ...['-D', folder, '-U', SUPERUSER, '-E', 'UTF8', '--locale=C', '--no-instructions'],
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(password
          ? ['--auth=scram-sha-256', '--pwfile', getPasswordFile(paths.root)]
          : ['--auth-local=trust', '--auth-host=reject']),
        ...(paths.durable ? [] : ['--no-sync']),
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
