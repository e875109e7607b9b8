import {
  type Connection,
  clientConfig,
  getDirectConnection,
  getErrorMessage,
  keepConnected,
  type Log,
} from '@escucho/database';
import { Kysely, PostgresDialect } from 'kysely';
import { type Client, Pool } from 'pg';
import { retryResults } from './result-retries.ts';

const RESPONSE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** The longest time between two attempts to connect, in which another process may take the jobs that run here. */
const MAX_RETRY_MS = 1000;
/** The first key of the advisory locks that workers hold; the second is a hash of the worker's id. */
export const WORKER_LOCK_CLASS = 1_163_084_628;

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

  function lock(client: Client, ids: readonly string[]): void {
    for (const id of ids) {
      const query = () => client.query('select pg_advisory_lock($1, hashtext($2))', [WORKER_LOCK_CLASS, id]);
      // A lost connection is reported by its own event; the next one takes all locks again.
      locking = locking.then(query).then(
        () => {},
        () => {},
      );
    }
  }

  const locks = keepConnected({
    connection,
    name: 'job workers',
    maxRetryMs: MAX_RETRY_MS,
    onConnect: async (client) => lock(client, lockedIds),
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
    /** For graphile-worker. */
    pool,
    db,

    /** Holds the advisory lock of a worker for as long as the process lives. */
    lockWorker(id: string): void {
      lockedIds.push(id);
      const client = locks.getClient();
      if (client) lock(client, [id]);
    },

    /** Closes the connections, once all workers have stopped. */
    async close(): Promise<void> {
      await locks.close();
      await db.destroy();
    },
  };
}

export type JobConnections = Awaited<ReturnType<typeof openJobConnections>>;
