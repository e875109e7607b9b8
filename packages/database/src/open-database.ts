import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { type Connection, clientConfig } from './connection.ts';
import { type Log, stderrLog } from './log.ts';
import { preparing } from './prepared.ts';
import { assertSchemaName } from './schema-name.ts';
import { valueTypes } from './types.ts';

const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 60_000;

export interface DatabaseOptions {
  readonly connection: Connection;
  /** The service's own PostgreSQL schema; unqualified names mean tables of it, or extensions in `public`. */
  readonly schema: string;
  /** Connections at most; a query waits for a free one, up to 10 s. */
  readonly maxConnections?: number;
  /** How the server lists the connections, e.g. `portal`. */
  readonly name: string;
  readonly log?: Log;
  /** For work that nobody waits for: statements and queries for a free connection take as long as they need. */
  readonly isPatient?: boolean;
  /** Settings of PostgreSQL for these connections alone, by name; plain words. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Opens a pool of connections as a query builder. Nothing is connected before the first query; `destroy()` closes.
 * A statement ends after 15 s unless `isPatient`, an idle transaction after 30 s. Errors are PostgreSQL's, with its `code`.
 */
export function openDatabase<Tables>(options: DatabaseOptions): Kysely<Tables> {
  const { connection, schema, maxConnections = 10, name, log = stderrLog, settings = {} } = options;
  const { isPatient = false } = options;
  const pool = new Pool({
    ...clientConfig(connection, name),
    options: optionsOf({ search_path: `${assertSchemaName(schema)},public`, ...settings }),
    types: valueTypes(),
    max: maxConnections,
    statement_timeout: isPatient ? 0 : STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    connectionTimeoutMillis: isPatient ? 0 : CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  });
  // Whoever is hanging up does not mind that the other side does too.
  const lost = (error: Error) =>
    pool.ending || log.warn({ database: name, reason: error.message }, 'A database connection was lost');
  pool.on('error', lost);
  // the pool does not listen to a connection that is in use, and an unheard error would end the process
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
}

const optionsOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
