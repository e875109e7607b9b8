import { Client } from 'pg';
import { type Connection, clientConfig } from '../connection.ts';
import { DatabaseError, getErrorCode } from '../database-error.ts';
import { SUPERUSER } from './initialize.ts';
import type { ServerAddress } from './settings.ts';

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
export function toConnection(address: ServerAddress, password: string | undefined): Connection {
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
export async function tryConnect(connection: Connection): Promise<Client | undefined> {
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
  if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
}
