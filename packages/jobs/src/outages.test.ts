import { setReadOnly } from '@escucho/database';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { handleJob } from './index.ts';
import { greet, settleJobs, startTestQueue } from './testing.ts';

const { connection, db, queue, workers, greeted, log, startWorker } = await startTestQueue();
const rejections: unknown[] = [];
const addRejection = (reason: unknown) => void rejections.push(reason);

/** Starts a worker that greets. The first greeting makes the database read-only, as a move does. */
const startGreeter = (afterGreeting: (name: string) => void) =>
  startWorker([
    handleJob(greet, async ({ name }) => {
      greeted.push(name);
      if (greeted.length === 1) await setReadOnly(connection, true);
      afterGreeting(name);
    }),
  ]);

const waitForRefusedResult = () =>
  expect
    .poll(() => log)
    .toContainEqual({
      reason: expect.stringContaining('in a read-only transaction'),
      message: 'result of a job not stored yet',
    });

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
  rejections.length = 0;
  process.on('unhandledRejection', addRejection);
});
afterEach(async () => {
  process.off('unhandledRejection', addRejection);
  await makeWritable();
});

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
  await startGreeter(afterGreeting);
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
  await startGreeter(() => {});
  await queue.enqueue(db, greet, { name: 'Ana' });
  await waitForRefusedResult();
  await workers.pop()?.stop();
  await makeWritable();
  await startGreeter(() => {});
  await expect.poll(() => greeted).toEqual(['Ana', 'Ana']);
  expect(rejections).toEqual([]);
});
