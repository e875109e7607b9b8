import { createHash } from 'node:crypto';
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import {
  type ClientBase,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  TypeOverrides,
} from 'pg';
import { type Connection, clientConfig } from './connection.ts';
import { getErrorCode, getErrorMessage, isResponseTimeout } from './database-error.ts';

/** The part of a pino logger that this package uses. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

function createWriter(level: string) {
  return (details: object, message: string) => {
    process.stderr.write(`${JSON.stringify({ level, ...details, msg: message })}\n`);
  };
}

/** The default logger: warnings and errors on stderr. */
export const stderrLog: Log = { info: () => {}, warn: createWriter('warn'), error: createWriter('error') };

const STATEMENT_TIMEOUT_MS = 15_000;
/** Responses may take longer than the server takes to end a statement: the network to it is cut, or it does not respond. */
const RESPONSE_TIMEOUT_FACTOR = 4 / 3;
const IDLE_IN_TRANSACTION_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 60_000;

export interface DatabaseOptions {
  readonly connection: Connection;
  /** The service's own PostgreSQL schema; unqualified names refer to it, then to `public`. */
  readonly schema: string;
  /** Maximum number of connections (10); a query waits up to 10 s for a free one. */
  readonly maxConnections?: number;
  /** The application name that PostgreSQL shows for the connections, e.g. `portal`. */
  readonly name: string;
  readonly log?: Log;
  /** When statements time out (15 s), and connecting if that is less than 10 s. */
  readonly timeoutMs?: number;
  /** For background work: neither statements nor waiting for a connection time out. */
  readonly hasNoTimeouts?: boolean;
  /** PostgreSQL settings of these connections, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Settings are sent once a connection is open: PgBouncer refuses most of them as parameters of the start. */
async function applySettings(client: ClientBase, settings: Readonly<Record<string, string>>): Promise<void> {
  await client.query(
    'select set_config(name, value, false) from json_each_text($1) as setting(name, value)',
    [JSON.stringify(settings)],
  );
}

/**
 * Opens a connection pool, for libraries that have their own SQL. It connects with the first query; `end()` closes it.
 * Statements time out after 15 s unless `hasNoTimeouts` (after 20 s where the server does not respond at all), idle
 * transactions after 30 s.
 */
export function openPool(options: DatabaseOptions): Pool {
  const { connection, schema, maxConnections = 10, name, log = stderrLog, settings = {} } = options;
  const { hasNoTimeouts = false, timeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const sessionSettings = {
    search_path: `${assertSchemaName(schema)},public`,
    statement_timeout: String(hasNoTimeouts ? 0 : timeoutMs),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    ...settings,
  };
  const pool = new Pool({
    ...clientConfig(connection, name),
    types: valueTypes(),
    max: maxConnections,
    onConnect: (client) => applySettings(client, sessionSettings),
    query_timeout: hasNoTimeouts ? 0 : timeoutMs * RESPONSE_TIMEOUT_FACTOR,
    connectionTimeoutMillis: hasNoTimeouts ? 0 : Math.min(timeoutMs, CONNECT_TIMEOUT_MS),
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  });
  // While the pool is closing, lost connections are expected.
  const lost = (error: Error) =>
    pool.ending || log.warn({ database: name, reason: error.message }, 'database connection lost');
  pool.on('error', lost);
  // The pool has no listener on a connection in use, and an unhandled error event ends the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

/** Opens a connection pool as a Kysely query builder. `destroy()` closes it. */
export function openDatabase<Tables>(options: DatabaseOptions): Kysely<Tables> {
  const pool = withPreparedStatements(openPool(options));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

const INT8 = 20;
const DATE = 1082;

/** Parses an integer as a number if it is safe, else as a bigint. */
function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/**
 * Returns the parsers of values: int8 (also `count(*)`) as a number, timestamptz as a Date, date as 'YYYY-MM-DD' (a day has no
 * time zone), numeric as text, json parsed.
 */
function valueTypes(): TypeOverrides {
  const types = new TypeOverrides();
  types.setTypeParser(INT8, parseInt8);
  types.setTypeParser(DATE, (text) => text);
  return types;
}

/**
 * Returns a schema name that may stand in SQL without quotes.
 *
 * @throws Error for any other text
 */
export function assertSchemaName(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name;
  throw new Error(`Not a schema name: ${name}`);
}

/** Prepared statements per connection; further ones are sent unnamed. */
const MAX_STATEMENTS = 256;
/**
 * Statements that a plan helps. Not those that return all columns of a table: a migration that adds one makes their plan
 * stale, which would fail a transaction of the version before.
 */
const preparedStatements =
  /^\s*(?:select|insert|update|delete|with)\b(?!\s+(?:"\w+"\.)?\*)(?!.*\breturning\s+\*)/is;

/** Creates the names of prepared statements for a pool; `most` statements get one. */
export function createStatementNames(most = MAX_STATEMENTS) {
  const names = new Map<string, string>();
  let renewals = 0;
  return {
    /** Returns the name to prepare a statement under; undefined for one that is not prepared. */
    get(sql: string): string | undefined {
      const known = names.get(sql);
      if (known !== undefined || names.size >= most || !preparedStatements.test(sql)) return known;
      const name = `s_${createHash('sha256').update(sql).digest('base64url').slice(0, 16)}`;
      names.set(sql, name);
      return name;
    },
    /** Gives a statement a new name once the plan under its old name is stale. */
    renew(sql: string): void {
      const name = names.get(sql);
      renewals += 1;
      if (name !== undefined) names.set(sql, `${name.split('.')[0]}.${renewals}`);
    },
  };
}

type StatementNames = ReturnType<typeof createStatementNames>;

/** Wraps a pool so that each statement is prepared once per connection. */
function withPreparedStatements(pool: Pool): PostgresPool {
  const names = createStatementNames();
  return {
    connect: async () => wrapClient(await pool.connect(), names),
    end: () => pool.end(),
  };
}

function wrapClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let lostBy: unknown;

  /** A server that does not respond blocks the connection: later statements would wait behind the first one. */
  async function send(query: QueryConfig): Promise<QueryResult> {
    if (lostBy !== undefined) throw lostBy;
    try {
      return await client.query(query);
    } catch (error) {
      if (isResponseTimeout(error)) lostBy = error;
      throw error;
    }
  }

  async function run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const attempt = async () => {
      const name = names.get(sql);
      const query = { text: sql, values: [...parameters] };
      return toQueryResult<R>(await send(name === undefined ? query : { ...query, name }));
    };
    const outsideTransaction = client.getTransactionStatus() === 'I';
    try {
      return await attempt();
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      names.renew(sql);
      if (!outsideTransaction) throw error;
      return attempt();
    }
  }
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string')
      throw new Error('Streaming needs pg-cursor, which this project does not use.');
    return run<R>(sql, parameters);
  }
  return { query, release: (isUnusable = false) => client.release(isUnusable || lostBy !== undefined) };
}

/** A table changed under a running program (`select *` after a migration): the statement must be planned again. */
function isStalePlan(error: unknown): boolean {
  return getErrorCode(error) === '0A000' && /cached plan/.test(getErrorMessage(error));
}

/** The commands that Kysely distinguishes. A commit of a transaction in which a statement failed is a ROLLBACK. */
const COMMANDS = ['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COMMIT', 'ROLLBACK'] as const;

function toQueryResult<R>({ rows, rowCount, command }: QueryResult): PostgresQueryResult<R> {
  return { rows, rowCount: rowCount ?? 0, command: COMMANDS.find((known) => known === command) ?? 'SELECT' };
}
