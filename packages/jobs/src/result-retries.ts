import { setTimeout as delay } from 'node:timers/promises';
import { isResponseTimeout, isTransientError } from '@escucho/database';
import type { Pool, PoolClient, QueryConfig } from 'pg';

const RETRY_DELAY_MS = 1000;

/** The names of graphile-worker's statements that store how an attempt at a job ended. */
const resultStatements = /^(complete|fail)_job/;

type ConnectCallback = Parameters<Pool['connect']>[0];

/**
 * Returns the pool for graphile-worker, with one difference: the result of a job is stored once the database takes it. By
 * itself graphile-worker does not handle its failure, and the rejection would end the process.
 *
 * @param onError - called for each failure before the next try
 */
export function retryResults(pool: Pool, onError: (error: unknown) => void): Pool {
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
        await delay(RETRY_DELAY_MS);
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
