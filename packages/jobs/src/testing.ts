import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import { type QueryExecutorProvider, sql } from 'kysely';
import { afterAll, afterEach } from 'vitest';
import * as z from 'zod/mini';
import {
  createJobQueue,
  defineJob,
  handleJob,
  type JobWorker,
  openJobConnections,
  startJobWorker,
} from './index.ts';
import type { JobQueue } from './queue.ts';
import type { JobWorkerOptions } from './worker.ts';

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

export const greet = defineJob({ name: 'greet', payload: z.object({ name: z.string() }) });

/** Creates a queue in a database of its own. Its workers, which greet by default, are stopped after each test. */
export async function startTestQueue() {
  const connection = await createTestDatabase();
  const db = openDatabase<object>({ connection, schema: 'billing', name: 'tests' });
  const queue = createJobQueue('billing');
  const workers: JobWorker[] = [];
  const greeted: string[] = [];
  /** The lines of the log. */
  const log: object[] = [];
  const write = (details: object, message: string) => void log.push({ ...details, message });
  const logger = { info: write, warn: write, error: write };
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await sql`delete from billing_jobs._private_jobs`.execute(db);
    greeted.length = 0;
    log.length = 0;
  });
  afterAll(() => db.destroy());

  async function startWorker(
    handlers = [handleJob(greet, async ({ name }) => void greeted.push(name))],
    options: Partial<JobWorkerOptions> = {},
  ): Promise<JobWorker> {
    const connections = await openJobConnections({ connection, log: logger });
    const worker = await startJobWorker({ queue, connections, handlers, log: logger, ...options });
    const stop = async () => {
      await worker.stop();
      await connections.close();
    };
    workers.push({ stop });
    return { stop };
  }
  return { connection, db, queue, workers, greeted, log, logger, startWorker };
}
