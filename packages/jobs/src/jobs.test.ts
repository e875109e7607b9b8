import { createDeferred } from '@escucho/database/testing';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import {
  createJobQueue,
  defineJob,
  handleJob,
  openJobConnections,
  startJobWorker,
  toNewJob,
} from './index.ts';
import { greet, settleJobs, startTestQueue } from './testing.ts';
import { registerJobMetrics, toCronItems } from './worker.ts';

const { connection, db, queue, workers, greeted, log, logger, startWorker } = await startTestQueue();

describe('enqueuing', () => {
  it('performs a job once its transaction commits', async () => {
    await startWorker();
    await db.transaction().execute(async (tx) => {
      await queue.enqueue(tx, greet, { name: 'Ana' });
      await queue.enqueue(tx, greet, { name: 'Ben' });
      expect(greeted).toEqual([]);
    });
    await settleJobs(db, queue);
    expect(greeted.toSorted()).toEqual(['Ana', 'Ben']);
  });

  it('enqueues nothing when the transaction is rolled back', async () => {
    await startWorker();
    const attempt = db.transaction().execute(async (tx) => {
      await queue.enqueue(tx, greet, { name: 'Ana' });
      throw new Error('rolled back');
    });
    await expect(attempt).rejects.toThrow('rolled back');
    await settleJobs(db, queue);
    expect(greeted).toEqual([]);
  });

  it('enqueues several jobs at once, each with its own options', async () => {
    await queue.enqueue(db, greet, { name: 'Ana' }, { key: 'one' });
    await queue.enqueueAll(db, [
      toNewJob(greet, { name: 'Ben' }, { key: 'one' }),
      toNewJob(greet, { name: 'Eva' }, { queueName: 'serial' }),
      toNewJob(greet, { name: 'Ida' }, { delayMs: 60_000 }),
    ]);
    await queue.enqueueAll(db, []);
    await startWorker();
    await settleJobs(db, queue);
    expect(greeted.toSorted()).toEqual(['Ben', 'Eva']);
    await settleJobs(db, queue, { advanceMs: 60_000 });
    expect(greeted).toContain('Ida');
  });

  it('waits for the delay of a delayed job', async () => {
    await startWorker();
    await queue.enqueue(db, greet, { name: 'Ana' }, { delayMs: 60_000 });
    await settleJobs(db, queue, { advanceMs: 59_000 });
    expect(greeted).toEqual([]);
    await settleJobs(db, queue, { advanceMs: 1000 });
    expect(greeted).toEqual(['Ana']);
  });

  it('replaces a waiting job of the same key, and cancels by key', async () => {
    await queue.enqueue(db, greet, { name: 'Ana' }, { key: 'one' });
    await queue.enqueue(db, greet, { name: 'Ben' }, { key: 'one' });
    await queue.enqueue(db, greet, { name: 'Eva' }, { key: 'two' });
    await queue.cancel(db, 'two');
    await queue.cancel(db, 'two');
    await startWorker();
    await settleJobs(db, queue);
    expect(greeted).toEqual(['Ben']);
  });

  it('performs the jobs of one queue name one at a time', async () => {
    let running = 0;
    let most = 0;
    await startWorker([
      handleJob(greet, async () => {
        most = Math.max(most, ++running);
        await sql`select pg_sleep(0.02)`.execute(db);
        running--;
      }),
    ]);
    for (let index = 0; index < 5; index++) {
      await queue.enqueue(db, greet, { name: String(index) }, { queueName: 'serial' });
    }
    await settleJobs(db, queue);
    expect(most).toBe(1);
  });

  it('performs delayed jobs at the same time once they are due', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `user ${index}`);
    const { promise: haveAllStarted, resolve } = createDeferred();
    const greetTogether = handleJob(greet, async ({ name }) => {
      if (greeted.push(name) === names.length) resolve();
      await haveAllStarted;
    });
    await startWorker([greetTogether], { concurrency: names.length });
    const jobs = names.map((name) => toNewJob(greet, { name }, { delayMs: 300 }));
    await queue.enqueueAll(db, jobs);
    await haveAllStarted;
    await settleJobs(db, queue);
    expect(greeted.toSorted()).toEqual(names.toSorted());
  }, 20_000);

  it('performs many jobs of three services at a time over five connections', async () => {
    const queues = ['billing', 'identity', 'portal'].map(createJobQueue);
    const names = Array.from({ length: 20 }, (_, index) => `user ${index}`);
    const counts: number[] = [];
    const countConnections = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and application_name in ('jobs', 'job workers')`.execute(db);
      counts.push(rows[0]?.count ?? 0);
    };
    const connections = await openJobConnections({ connection, workers: queues.length, log: logger });
    onTestFinished(connections.close);
    for (const queue of queues) {
      const handlers = [handleJob(greet, countConnections)];
      const worker = await startJobWorker({ queue, connections, handlers, concurrency: 16, log: logger });
      onTestFinished(worker.stop);
    }
    for (const name of names) await Promise.all(queues.map((queue) => queue.enqueue(db, greet, { name })));
    for (const queue of queues) await settleJobs(db, queue);
    expect(counts).toHaveLength(names.length * queues.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(queues.length + 2);
    expect(log).toEqual([]);
  });

  it('shares the jobs among workers, each performed once', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `user ${index}`);
    for (const name of names) await queue.enqueue(db, greet, { name });
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    await settleJobs(db, queue);
    expect(greeted.toSorted()).toEqual(names.toSorted());
  });
});

describe('a job that fails', () => {
  it('is tried again with exponential backoff', async () => {
    let attempts = 0;
    await startWorker([
      handleJob(greet, async () => {
        attempts++;
        if (attempts < 3) throw new Error('no connection');
      }),
    ]);
    await queue.enqueue(db, greet, { name: 'Ana' });
    await settleJobs(db, queue);
    expect(attempts).toBe(1);
    await settleJobs(db, queue, { advanceMs: 3000 });
    expect(attempts).toBe(2);
    await settleJobs(db, queue, { advanceMs: 3000 });
    expect(attempts).toBe(2);
    await settleJobs(db, queue, { advanceMs: 5000 });
    expect(attempts).toBe(3);
    expect(log).toMatchObject([{ job: 'greet', attempt: 1, reason: 'no connection' }, { attempt: 2 }]);
  });

  it('is dead after its last attempt, is listed, and can be retried', async () => {
    const once = defineJob({ ...greet, maxAttempts: 1 });
    let isBroken = true;
    await startWorker([
      handleJob(once, async ({ name }) => {
        if (isBroken) throw new Error('no connection');
        greeted.push(name);
      }),
    ]);
    await queue.enqueue(db, once, { name: 'Ana' });
    await settleJobs(db, queue);
    const [dead, ...others] = await queue.findDeadJobs(db);
    expect(others).toEqual([]);
    expect(dead).toMatchObject({
      name: 'greet',
      attempts: 1,
      lastError: expect.stringContaining('no connection'),
    });
    expect(await queue.countJobs(db)).toEqual({ waiting: 0, running: 0, dead: 1 });
    isBroken = false;
    await queue.retryDeadJobs(db, [dead?.id ?? '']);
    await settleJobs(db, queue);
    expect(greeted).toEqual(['Ana']);
    expect(await queue.findDeadJobs(db)).toEqual([]);
  });

  it('counts a payload that does not fit its schema as a failure', async () => {
    await startWorker();
    const wrong = defineJob({ name: 'greet', payload: z.unknown() });
    await queue.enqueue(db, wrong, { name: 7 });
    await settleJobs(db, queue);
    expect(greeted).toEqual([]);
    expect(await queue.countJobs(db)).toMatchObject({ waiting: 1 });
  });
});

describe('a worker', () => {
  it('finishes what it performs before it stops', async () => {
    const { promise: release, resolve } = createDeferred();
    const worker = await startWorker([
      handleJob(greet, async ({ name }) => {
        await release;
        greeted.push(name);
      }),
    ]);
    await queue.enqueue(db, greet, { name: 'Ana' });
    await expect.poll(async () => (await queue.countJobs(db)).running).toBe(1);
    const stopped = worker.stop();
    resolve();
    await stopped;
    workers.length = 0;
    expect(greeted).toEqual(['Ana']);
  });

  it('records attempts by outcome, and how many jobs are in which state', async () => {
    const registry = new Registry();
    const once = defineJob({ ...greet, maxAttempts: 1 });
    await startWorker(
      [
        handleJob(once, async ({ name }) => {
          if (name === 'nobody') throw new Error('unknown');
        }),
      ],
      { registry },
    );
    for (const outcome of ['success', 'retry', 'dead']) {
      const series = `job_attempts_total{service="billing",job="greet",outcome="${outcome}"}`;
      expect(await registry.metrics()).toContain(`${series} 0\n`);
    }
    await queue.enqueue(db, once, { name: 'Ana' });
    await queue.enqueue(db, once, { name: 'nobody' });
    await settleJobs(db, queue);
    const text = await registry.metrics();
    expect(text).toContain('job_attempts_total{service="billing",job="greet",outcome="success"} 1');
    expect(text).toContain('job_attempts_total{service="billing",job="greet",outcome="dead"} 1');
    expect(text).toContain('jobs{service="billing",state="dead"} 1');
  });

  it('leaves out the number of jobs, and no other metric, while the database is away', async () => {
    const registry = new Registry();
    let isAway = false;
    const countJobs = async () => {
      if (isAway) throw new Error('The connection was lost.');
      return { waiting: 7, running: 0, dead: 0 };
    };
    registerJobMetrics({ registry, service: 'billing', handlers: [], countJobs });
    expect(await registry.metrics()).toContain('jobs{service="billing",state="waiting"} 7');
    isAway = true;
    const text = await registry.metrics();
    expect(text).not.toContain('jobs{');
    expect(text).toContain('# TYPE job_attempts_total counter');
  });
});

it('a scheduled job has its number of attempts, or the default', () => {
  const twice = defineJob({ ...greet, maxAttempts: 2 });
  const items = toCronItems([twice, greet].map((job) => ({ job, cron: '17 3 * * *' })));
  expect(items.map(({ options }) => options.maxAttempts)).toEqual([2, undefined]);
});
