import { openDatabase } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import { sql } from 'kysely';
import { afterAll, afterEach } from 'vitest';
import * as z from 'zod/mini';
import {
  createJobQueue,
  defineJob,
  handleJob,
  type JobWorker,
  openJobConnections,
  startJobWorker,
} from '../index.ts';
import type { JobWorkerOptions } from '../worker.ts';

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
