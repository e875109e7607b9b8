import { Client } from 'pg';
import { type Connection, clientConfig } from '../connection.ts';
import { DatabaseError, getErrorCode } from '../database-error.ts';
import { SUPERUSER } from './initialise.ts';
import type { Door } from './settings.ts';

/** The advisory lock that the one process holds which may stop the server. It goes when that process goes. */
const OWNERSHIP = [1_163_084_627, 1];

/** Refusals of a server that is starting, stopping, or not listening yet. */
const NOT_NOW = new Set(['57P03', '57P01', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

export function isNotNow(error: unknown): boolean {
  return NOT_NOW.has(getErrorCode(error) ?? '');
}

export function connectionTo(door: Door, password: string | undefined): Connection {
  return {
    ...('folder' in door ? { host: door.folder, port: 5432 } : { host: '127.0.0.1', port: door.port }),
    database: 'escucho',
    user: SUPERUSER,
    ...(password === undefined ? {} : { password }),
  };
}

/** Connects to the server's maintenance database; undefined when it does not take connections at the moment. */
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
    if (getErrorCode(error) === undefined || isNotNow(error)) return undefined;
    throw error;
  }
}

/**
 * Makes this client's process the owner of the server, for as long as the client stays connected.
 * @throws DatabaseFault `in-use`, naming the process that owns it
 */
export async function own(client: Client, dataDir: string): Promise<void> {
  const lock = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1, $2) as taken',
    OWNERSHIP,
  );
  if (lock.rows[0]?.taken) return;
  const owner = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and granted and classid = $1 and objid = $2`,
    OWNERSHIP,
  );
  await client.end();
  const pid = owner.rows[0]?.name.split(' ').at(-1) ?? 'unknown';
  throw new DatabaseError(
    'in-use',
    `The database in ${dataDir} is in use by process ${pid}: stop that one first, or set another DATA_DIR.`,
  );
}

/** Creates our database at the first start. */
export async function ensureDatabase(client: Client, name: string): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [name]);
  if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
}
