import { type Connection, keepConnected } from '@escucho/database';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Client } from 'pg';
import type { JobQueue } from './queue.ts';

/** The first key of the advisory locks that workers hold; the second is a hash of the worker's id. */
const WORKER_LOCK_CLASS = 1_163_084_628;
const CHECK_INTERVAL_MS = 2000;
/** The longest time between two attempts to connect, in which another process may take the jobs that run here. */
const MAX_RETRY_MS = 1000;

interface LivenessOptions {
  readonly connection: Connection;
  readonly queue: JobQueue;
  readonly db: QueryExecutorProvider;
  readonly onError: (error: unknown) => void;
}

/**
 * Makes the jobs of a process that was killed due again within seconds; graphile-worker itself waits four hours.
 * Each worker holds an advisory lock for as long as its process lives, on a connection of its own: a job that is locked
 * by a worker whose lock is free has no process any more.
 */
export async function watchWorkers({ connection, queue, db, onError }: LivenessOptions) {
  const { schema } = queue;
  const workerIds: string[] = [];
  let locking = Promise.resolve();

  function lockWorkers(client: Client, ids: readonly string[]): void {
    for (const id of ids) {
      const lock = () => client.query('select pg_advisory_lock($1, hashtext($2))', [WORKER_LOCK_CLASS, id]);
      // A lost connection is reported by its own event; the next one takes all locks again.
      locking = locking.then(lock).then(
        () => {},
        () => {},
      );
    }
  }

  const { firstAttempt, getClient, close } = keepConnected({
    connection,
    name: `${schema} workers`,
    maxRetryMs: MAX_RETRY_MS,
    onConnect: async (client) => lockWorkers(client, workerIds),
    onLost: onError,
  });

  /**
   * Unlocks queues that no job holds. A worker whose lock was free for a moment loses its job to another one; where it
   * completes the job first, the other one finds none whose queue it could unlock.
   */
  async function releaseEmptyQueues(): Promise<void> {
    await sql`
      update ${sql.id(schema, '_private_job_queues')} q set locked_by = null, locked_at = null
      where locked_at < now() - interval '2 seconds' and not exists (
        select from ${sql.id(schema, '_private_jobs')} j where j.job_queue_id = q.id and j.locked_at is not null
      )`.execute(db);
  }

  async function releaseJobsOfDeadWorkers(): Promise<void> {
    // Locks of the last seconds are spared: a new worker may not hold its advisory lock yet.
    const { rows } = await sql<{ ids: string[] | null }>`
      select array_agg(id) filter (where pg_try_advisory_xact_lock(${WORKER_LOCK_CLASS}, hashtext(id))) as ids
      from (
        select locked_by as id from ${sql.id(schema, '_private_jobs')} where locked_at < now() - interval '2 seconds'
        union
        select locked_by from ${sql.id(schema, '_private_job_queues')} where locked_at < now() - interval '2 seconds'
      ) locked`.execute(db);
    const ids = rows[0]?.ids;
    if (!ids) return;
    await queue.deleteReplacedJobs(db, ids);
    await sql`select ${sql.id(schema, 'force_unlock_workers')}(${ids}::text[])`.execute(db);
  }

  async function release(): Promise<void> {
    await releaseJobsOfDeadWorkers();
    await releaseEmptyQueues();
  }

  const error = await firstAttempt;
  if (error) {
    await close();
    throw error;
  }
  await release();
  const check = setInterval(() => release().catch(onError), CHECK_INTERVAL_MS).unref();

  return {
    addWorker(id: string): void {
      workerIds.push(id);
      const client = getClient();
      if (client) lockWorkers(client, [id]);
    },

    async stop(): Promise<void> {
      clearInterval(check);
      await close();
    },
  };
}
