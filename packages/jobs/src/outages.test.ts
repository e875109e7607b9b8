import { openDatabase, setReadOnly } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createJobQueue, defineJob, handleJob, type JobWorker, startJobWorker } from './index.ts';
import { settleJobs } from './testing.ts';

const connection = await createTestDatabase();
const db = openDatabase<object>({ connection, schema: 'billing', name: 'tests', maxConnections: 1 });
const queue = createJobQueue('billing');
const greet = defineJob({ name: 'greet', payload: z.object({ name: z.string() }) });
const greeted: string[] = [];
const log: object[] = [];
const rejections: unknown[] = [];
const addRejection = (reason: unknown) => void rejections.push(reason);
let worker: JobWorker;

/** Starts a worker that greets. The first greeting makes the database read-only, as a move does. */
async function startWorker(afterGreeting: (name: string) => void): Promise<void> {
  const write = (details: object) => void log.push(details);
  const handler = handleJob(greet, async ({ name }) => {
    greeted.push(name);
    if (greeted.length === 1) await setReadOnly(connection, true);
    afterGreeting(name);
  });
  const logger = { info: write, warn: write, error: write };
  worker = await startJobWorker({ queue, connection, handlers: [handler], log: logger });
}

const waitForRefusedResult = () =>
  expect
    .poll(() => log)
    .toContainEqual({ service: 'billing', reason: expect.stringContaining('in a read-only transaction') });

async function makeWritable(): Promise<void> {
  await setReadOnly(connection, false);
  // The pool may not have read yet that its connection has ended.
  const isConnected = () =>
    sql`select`.execute(db).then(
      () => true,
      () => false,
    );
  await expect.poll(isConnected).toBe(true);
}

beforeEach(() => {
  for (const list of [greeted, log, rejections]) list.length = 0;
  process.on('unhandledRejection', addRejection);
});
afterEach(async () => {
  process.off('unhandledRejection', addRejection);
  await makeWritable();
  await worker.stop();
  await sql`delete from billing_jobs._private_jobs`.execute(db);
});
afterAll(() => db.destroy());

it.each([
  ['succeeded', () => {}, { waiting: 0, running: 0, dead: 0 }],
  [
    'failed',
    (name: string) => {
      if (name === 'Ana') throw new Error('no connection');
    },
    { waiting: 0, running: 0, dead: 1 },
  ],
])('stores that a job %s once the database is writable again', async (_, afterGreeting, counts) => {
  await startWorker(afterGreeting);
  await queue.enqueue(db, { ...greet, maxAttempts: 1 }, { name: 'Ana' });
  await waitForRefusedResult();
  await makeWritable();
  await settleJobs(db, queue);
  expect(greeted).toEqual(['Ana']);
  expect(await queue.countJobs(db)).toEqual(counts);
  await queue.enqueue(db, greet, { name: 'Ben' });
  await settleJobs(db, queue);
  expect(greeted).toEqual(['Ana', 'Ben']);
  expect(rejections).toEqual([]);
});

it('stops while a result cannot be stored; the job is performed again', async () => {
  await startWorker(() => {});
  await queue.enqueue(db, greet, { name: 'Ana' });
  await waitForRefusedResult();
  await worker.stop();
  await makeWritable();
  await startWorker(() => {});
  await expect.poll(() => greeted).toEqual(['Ana', 'Ana']);
  expect(rejections).toEqual([]);
});
