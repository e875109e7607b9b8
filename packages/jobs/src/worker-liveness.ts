import { sql } from 'kysely';
import { type JobConnections, WORKER_LOCK_CLASS } from './connections.ts';
import type { JobQueue } from './queue.ts';

const CHECK_INTERVAL_MS = 2000;

/**
 * Makes the jobs of a process that was killed due again within seconds; graphile-worker itself waits four hours.
 * Each worker holds an advisory lock for as long as its process lives: a job that is locked by a worker whose lock is free
 * has no process any more.
 *
 * @param onError - called with the error of each check that failed but the first, which is thrown
 * @returns a function that ends the checks
 */
export async function releaseJobsOfKilledWorkers(
  { db }: JobConnections,
  queue: JobQueue,
  onError: (error: unknown) => void,
): Promise<() => void> {
  const { schema } = queue;

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

  async function releaseJobs(): Promise<void> {
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
    await releaseJobs();
    await releaseEmptyQueues();
  }

  await release();
  const check = setInterval(() => release().catch(onError), CHECK_INTERVAL_MS).unref();
  return () => clearInterval(check);
}
