import { openDatabase } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import { createJobQueue, defineJob } from '@escucho/jobs';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readSettings } from '../settings.ts';
import { jobsCommand } from './db.ts';

const connection = await createTestDatabase();
const db = openDatabase<object>({
  connection,
  schema: 'portal',
  name: 'jobs command test',
  maxConnections: 1,
});
afterAll(() => db.destroy());

const billing = createJobQueue('billing');
const portal = createJobQueue('portal');
const sendMail = defineJob({ name: 'send_mail', payload: z.object({}) });

const run = (...args: string[]) =>
  jobsCommand({
    args,
    env: {},
    settings: readSettings({}),
    storage: { connection, notes: [], stop: async () => {} },
  });

/** Enqueues a job that has used all of its attempts. */
async function createDeadJob(queue: typeof billing, lastError: string | null) {
  await queue.enqueue(db, sendMail, {});
  await sql`
    update ${sql.id(queue.schema, '_private_jobs')}
    set attempts = max_attempts, last_error = ${lastError}, updated_at = '2026-11-20T10:00:00Z'
    where attempts = 0`.execute(db);
}

beforeEach(async () => {
  for (const { schema } of [billing, portal]) {
    await sql`delete from ${sql.id(schema, '_private_jobs')}`.execute(db);
  }
});

describe('npm run db -- jobs', () => {
  it('lists dead jobs by service with id, attempts, time and the start of the last error', async () => {
    expect(await run()).toBe('There are no dead jobs.');
    await createDeadJob(portal, 'Connection\u0007 refused\n    at connect');
    await createDeadJob(billing, null);
    await billing.enqueue(db, sendMail, {});
    expect((await run()).split('\n')).toEqual([
      expect.stringMatching(/^billing {2}\d+ {2}send_mail {2}25 attempts {2}\S+Z {2}no error$/),
      expect.stringMatching(/^portal {2}\d+ {2}send_mail {2}25 attempts {2}\S+Z {2}Connection refused$/),
    ]);
  });

  it('lists the id by which SQL deletes a job', async () => {
    await createDeadJob(billing, 'gone');
    const [, id] = (await run()).split('  ');
    await sql`select billing_jobs.complete_jobs(array[${id}]::bigint[])`.execute(db);
    expect(await run()).toBe('There are no dead jobs.');
  });

  it('retry SERVICE makes the dead jobs of one service due again, with all attempts', async () => {
    await createDeadJob(billing, 'gone');
    await createDeadJob(portal, 'gone');
    expect(await run('retry', 'billing')).toBe('billing: 1 job will run again.');
    expect(await billing.countJobs(db)).toEqual({ waiting: 1, running: 0, dead: 0 });
    expect((await portal.countJobs(db)).dead).toBe(1);
  });

  it('retry makes the dead jobs of all services due again', async () => {
    await createDeadJob(billing, 'gone');
    await createDeadJob(portal, 'gone');
    await createDeadJob(portal, 'gone');
    expect(await run('retry')).toBe('billing: 1 job will run again.\nportal: 2 jobs will run again.');
    expect(await run('retry')).toBe('There are no dead jobs.');
  });

  it.each([
    [['repeat'], 'Usage: npm run db -- jobs [retry [SERVICE]]'],
    [['retry', 'billing', 'portal'], 'Usage: npm run db -- jobs [retry [SERVICE]]'],
    [['retry', 'mail'], 'There is no service mail. The services are identity, billing, portal.'],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});
