import { createDeferred } from '@escucho/database/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { handleJob } from './index.ts';
import { greet, settleJobs, startTestQueue } from './testing.ts';

const { db, queue, greeted, startWorker } = await startTestQueue();

/** Leaves the waiting jobs as a killed worker does: with a lock of a worker that no connection answers for. */
async function killWorker(attempts: number): Promise<void> {
  await sql`
    update billing_jobs._private_jobs
    set locked_by = 'worker-gone', locked_at = now() - interval '3 seconds', attempts = ${attempts}`.execute(
    db,
  );
}

it('performs the job of a process that was killed', async () => {
  await queue.enqueue(db, greet, { name: 'Ana' });
  await killWorker(1);
  await startWorker();
  await settleJobs(db, queue);
  expect(greeted).toEqual(['Ana']);
});

it.each<[string, () => Promise<void>, string[]]>([
  ['replaced', () => queue.enqueue(db, greet, { name: 'Ben' }, { key: 'one' }), ['Ben']],
  ['cancelled', () => queue.cancel(db, 'one'), []],
])('counts a job that was %s before its process was killed as done', async (_, replace, expected) => {
  await queue.enqueue(db, greet, { name: 'Ana' }, { key: 'one' });
  await killWorker(1);
  await replace();
  await startWorker();
  await settleJobs(db, queue);
  expect(greeted).toEqual(expected);
  expect(await queue.findDeadJobs(db)).toEqual([]);
  expect(await queue.countJobs(db)).toEqual({ waiting: 0, running: 0, dead: 0 });
});

it.each([[undefined], ['one']])(
  'reports a job with key %s that was killed on its last attempt',
  async (key) => {
    await queue.enqueue(db, greet, { name: 'Ana' }, { ...(key !== undefined && { key }) });
    await killWorker(25);
    await startWorker();
    await settleJobs(db, queue);
    expect(await queue.countJobs(db)).toEqual({ waiting: 0, running: 0, dead: 1 });
  },
);

it('performs the jobs of a queue that a living worker holds without a job', async () => {
  const release = createDeferred();
  await startWorker([handleJob(greet, () => release.promise)]);
  await queue.enqueue(db, greet, { name: 'Ana' }, { queueName: 'serial' });
  const countLocked = async () => (await queue.countJobs(db)).running;
  await expect.poll(countLocked).toBe(1);
  // The job was completed by another worker.
  await sql`delete from billing_jobs._private_jobs`.execute(db);
  await sql`update billing_jobs._private_job_queues set locked_at = now() - interval '3 seconds'`.execute(db);
  release.resolve();
  await startWorker();
  await queue.enqueue(db, greet, { name: 'Ben' }, { queueName: 'serial' });
  await settleJobs(db, queue);
  expect(await queue.countJobs(db)).toEqual({ waiting: 0, running: 0, dead: 0 });
});

it('leaves the job of a living worker alone', async () => {
  const { promise: release, resolve } = createDeferred();
  await startWorker([
    handleJob(greet, async ({ name }) => {
      greeted.push(name);
      await release;
    }),
  ]);
  await queue.enqueue(db, greet, { name: 'Ana' });
  await expect.poll(() => greeted).toEqual(['Ana']);
  await sql`update billing_jobs._private_jobs set locked_at = now() - interval '1 hour'`.execute(db);
  await startWorker();
  await startWorker();
  expect(await queue.countJobs(db)).toMatchObject({ running: 1 });
  resolve();
  await settleJobs(db, queue);
  expect(greeted).toEqual(['Ana']);
});
