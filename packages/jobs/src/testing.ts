import { setTimeout as delay } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { JobQueue } from './queue.ts';

/**
 * Moves the jobs of a queue forward in time and waits until none is due or running: jobs that failed and wait for their
 * next attempt count as done. A worker must be running.
 *
 * @param advanceMs - every waiting job becomes due so many milliseconds earlier
 * @throws Error when jobs are still due after `timeoutMs` (20 s)
 */
export async function settleJobs(
  db: QueryExecutorProvider,
  { schema }: JobQueue,
  { advanceMs = 0, timeoutMs = 20_000 }: { advanceMs?: number; timeoutMs?: number } = {},
): Promise<void> {
  const jobs = sql.id(schema, '_private_jobs');
  if (advanceMs > 0) {
    await sql`update ${jobs} set run_at = run_at - ${advanceMs}::double precision * interval '1 millisecond'`.execute(
      db,
    );
    await sql`select pg_notify('jobs:insert', '{"count": 10}')`.execute(db);
  }
  for (const startedAt = performance.now(); ; await delay(10)) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${jobs}
      where locked_at is not null or (run_at <= now() and attempts < max_attempts)`.execute(db);
    if (rows[0]?.count === 0) return;
    if (performance.now() - startedAt > timeoutMs)
      throw new Error(`${rows[0]?.count} jobs of ${schema} are still due after ${timeoutMs} ms`);
  }
}
