import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { getErrorCode, getErrorMessage, isResponseTimeout } from './database-error.ts';

/** Prepared statements per connection; further ones are sent unnamed. */
const MAX_STATEMENTS = 256;

/** Creates the names of prepared statements for a pool; `most` statements get one. */
export function createStatementNames(most = MAX_STATEMENTS) {
  const names = new Map<string, string>();
  let renewals = 0;
  return {
    /** Returns the name to prepare a statement under; undefined for one that is not prepared. */
    get(sql: string): string | undefined {
      const known = names.get(sql);
      if (
        known !== undefined ||
        names.size >= most ||
        !/^\s*(select|insert|update|delete|with)\b/i.test(sql)
      ) {
        return known;
      }
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
export function withPreparedStatements(pool: Pool, names = createStatementNames()): PostgresPool {
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const known = wrapped.get(client) ?? wrapClient(client, names);
      wrapped.set(client, known);
      return known;
    },
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
  return { query, release: () => client.release(lostBy !== undefined) };
}

/** A table changed under a running program (`select *` after a migration): the statement must be planned again. */
function isStalePlan(error: unknown): boolean {
  return getErrorCode(error) === '0A000' && /cached plan/.test(getErrorMessage(error));
}

const WRITES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

function toQueryResult<R>({ rows, rowCount, command }: QueryResult): PostgresQueryResult<R> {
  return { rows, rowCount: rowCount ?? 0, command: WRITES.find((write) => write === command) ?? 'SELECT' };
}
