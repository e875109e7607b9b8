import { setTimeout as delay } from 'node:timers/promises';
import {
  type Connection,
  clientConfig,
  getDirectConnection,
  getErrorMessage,
  isResponseTimeout,
  isTransientError,
  keepConnected,
  type Log,
} from '@escucho/database';
import { Kysely, PostgresDialect } from 'kysely';
import { type Client, Pool, type PoolClient, type QueryConfig } from 'pg';

const RESPONSE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** The longest time between two attempts to connect, in which another process may take the jobs that run here. */
const MAX_RETRY_MS = 1000;
/** The first key of the advisory locks that workers hold; the second is a hash of the worker's id. */
export const WORKER_LOCK_CLASS = 1_163_084_628;
const RESULT_RETRY_MS = 1000;
/** The names of graphile-worker's statements that store how an attempt at a job ended. */
const resultStatements = /^(complete|fail)_job/;

interface JobConnectionsOptions {
  readonly connection: Connection;
  /** How many workers may use the connections, one of each service; 1 unless stated. */
  readonly workers?: number;
  /** Without a response to a statement for so long, in milliseconds, its connection is closed; 20,000 unless stated. */
  readonly responseTimeoutMs?: number;
  readonly log: Log;
}

/**
 * Opens the connections to the database that the job workers of a process share: one for each worker, which listens for
 * new jobs, one to take jobs and to store their results, and one that holds the advisory locks of the workers.
 *
 * @throws Error when the database cannot be reached
 */
export async function openJobConnections(options: JobConnectionsOptions) {
  const { connection, workers = 1, responseTimeoutMs = RESPONSE_TIMEOUT_MS, log } = options;
  const lockedIds: string[] = [];
  let locking = Promise.resolve();

  const onError = (error: unknown) =>
    log.warn({ reason: getErrorMessage(error) }, 'job workers lost a database connection');

  function lock(client: Client, id: string): void {
    const query = () => client.query('select pg_advisory_lock($1, hashtext($2))', [WORKER_LOCK_CLASS, id]);
    // A lost connection is reported by its own event; the next one takes all locks again.
    locking = locking.then(query).then(
      () => {},
      () => {},
    );
  }

  const locks = keepConnected({
    connection,
    name: 'job workers',
    maxRetryMs: MAX_RETRY_MS,
    async onConnect(client) {
      for (const id of lockedIds) lock(client, id);
    },
    onLost: onError,
  });
  const error = await locks.firstAttempt;
  if (error) {
    await locks.close();
    throw error;
  }

  const sharedPool = new Pool({
    ...clientConfig(getDirectConnection(connection), 'jobs'),
    max: workers + 1,
    query_timeout: responseTimeoutMs,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  sharedPool.on('error', onError);
  sharedPool.on('connect', (client) => {
    client.on('error', () => {});
  });
  const pool = retryResults(sharedPool, (error) =>
    log.warn({ reason: getErrorMessage(error) }, 'result of a job not stored yet'),
  );
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });

  return {
    /** The pool for graphile-worker. */
    pool,
    /** The same connections for statements of our own. */
    db,

    /** Holds the advisory lock of a worker for as long as the process lives. */
    lockWorker(id: string): void {
      lockedIds.push(id);
      const client = locks.getClient();
      if (client) lock(client, id);
    },

    /** Closes the connections, once all workers have stopped. */
    async close(): Promise<void> {
      await locks.close();
      await db.destroy();
    },
  };
}

export type JobConnections = Awaited<ReturnType<typeof openJobConnections>>;

type ConnectCallback = Parameters<Pool['connect']>[0];

/**
 * Returns the pool for graphile-worker, with one difference: the result of a job is stored once the database takes it. By
 * itself graphile-worker does not handle its failure, and the rejection would end the process.
 *
 * @param onError - called for each failure before the next try
 */
function retryResults(pool: Pool, onError: (error: unknown) => void): Pool {
  // Connects with the first statement, since only the statement tells whether a failure is to be retried.
  function createClient() {
    let client: PoolClient | undefined;
    function release(hasFailed = false) {
      client?.release(hasFailed);
      client = undefined;
    }
    async function query(...args: [QueryConfig | string, unknown[]?]): Promise<unknown> {
      const [statement] = args;
      const isResult = typeof statement === 'object' && resultStatements.test(statement.name ?? '');
      for (;;) {
        try {
          client ??= await pool.connect();
          return await client.query(...args);
        } catch (error) {
          // The statement still occupies the connection.
          if (isResponseTimeout(error)) release(true);
          // A stopped worker leaves the job to another one.
          if (isResult && pool.ending) return undefined;
          if (!isResult || !isTransientError(error)) throw error;
          onError(error);
        }
        release(true);
        await delay(RESULT_RETRY_MS);
      }
    }
    return { query, release: () => release() };
  }

  // Given a callback, graphile-worker listens for jobs, or the pool itself connects.
  const connect = (callback?: ConnectCallback) =>
    callback ? pool.connect(callback) : Promise.resolve(createClient());
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  });
}
