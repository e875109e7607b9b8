import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { migrationsDirectory, billing as provider } from '@escucho/billing';
import { migrate, openDatabase, startEmbedded } from '@escucho/database';
import { createJobQueue, migrateJobQueue } from '@escucho/jobs';
import { createApp } from '@escucho/service-kit';
import autocannon from 'autocannon';
import Fastify from 'fastify';
import { type Kysely, sql } from 'kysely';
import { root } from '../../e2e/support/product.ts';
import type { Figure, Measurement } from './figure.ts';

const subscriptions = Number(process.env.SUBSCRIPTIONS ?? 100_000);
const rounds = 3;
const DAY = 86_400_000;
const directory = join(root, '.cache/bench-billing');
const key = 'rcb_sb_bench';

/** One subscription that was really bought, as often as asked for. */
async function multiply(db: Kysely<object>): Promise<void> {
  await sql`insert into subscriber (app_user_id, payers, first_seen_at)
    select 'bench-' || n, payers, first_seen_at from subscriber, generate_series(1, ${subscriptions}) n
    where app_user_id = 'bench'`.execute(db);
  await sql`insert into subscription (id, subscriber_id, state, version, due_at)
    select gen_random_uuid(), s.id, t.state, t.version, t.due_at from subscriber s, subscription t
    where s.app_user_id like 'bench-%'`.execute(db);
  await sql`insert into subscription_event (subscription_id, sequence, kind, occurred_at, data)
    select s.id, e.sequence, e.kind, e.occurred_at, e.data
    from subscription s, subscription_event e where s.id != e.subscription_id`.execute(db);
  await sql`select count(billing_jobs.add_job('process_subscription',
    json_build_object('id', id, 'subscriberId', subscriber_id), run_at => now() + interval '1 month',
    job_key => 'subscription:' || id)) from subscription`.execute(db);
  await sql`analyze`.execute(db);
}

const rateOf = async (url: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` };
  const { requests, non2xx, errors } = await autocannon({ url, connections: 10, duration: 5, headers });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed.`);
  return requests.average;
};

/** Checks of an entitlement, and a route that asks the database for one row and does nothing else, in turns. */
async function checks(address: string, db: Kysely<object>): Promise<Figure> {
  const bare = Fastify();
  bare.get('/row', async () => {
    const { rows } = await sql`select app_user_id from subscriber where app_user_id = 'bench-7'`.execute(db);
    return rows[0];
  });
  const bareAddress = await bare.listen({ port: 0, host: '127.0.0.1' });
  const ours: number[] = [];
  const ceiling: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await rateOf(`${address}/billing/v1/subscribers/bench-7`));
    ceiling.push(await rateOf(`${bareAddress}/row`));
  }
  await bare.close();
  return { what: 'entitlement checks', unit: '/s', ours, ceiling };
}

const counted = async (query: Promise<{ rows: { count: number }[] }>): Promise<number> =>
  (await query).rows[0]?.count ?? 0;

const MB = 2 ** 20;

setFlagsFromString('--expose-gc');
const clearAway: () => void = runInNewContext('gc');

/** What our process keeps, in MB: what is left once everything that nobody needs was cleared away. */
function kept(): number {
  clearAway();
  return process.memoryUsage().heapUsed / MB;
}

/** Lets all of them come due at once. Out: how long until all were renewed, the most memory and locks meanwhile. */
async function renewals(db: Kysely<object>, comeDue: () => Promise<void>): Promise<Figure[]> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const before = kept();
  const memoryBefore = process.memoryUsage().rss / MB;
  let memory = 0;
  let locks = 0;
  await comeDue();
  for (;;) {
    memory = Math.max(memory, process.memoryUsage().rss);
    const held = sql<{
      count: number;
    }>`select count(*) from pg_locks where locktype in ('tuple', 'relation')`;
    locks = Math.max(locks, await counted(held.execute(db)));
    const left = sql<{ count: number }>`select count(*) from subscription_event where kind = 'renewed'`;
    if ((await counted(left.execute(db))) >= subscriptions) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return [
    { what: `renewing ${subscriptions.toLocaleString('en')} subscriptions`, unit: 's', ours: [seconds] },
    { what: 'renewals per second', unit: '/s', ours: [subscriptions / seconds] },
    {
      what: 'CPU time of the service per renewal',
      unit: 'ms',
      ours: [(user + system) / 1000 / subscriptions],
    },
    { what: 'memory of the process before renewals', unit: 'MB', ours: [memoryBefore] },
    { what: 'peak memory of the process during renewals', unit: 'MB', ours: [memory / MB] },
    { what: 'heap after garbage collection, before', unit: 'MB', ours: [before] },
    { what: 'heap after garbage collection, after', unit: 'MB', ours: [kept()] },
    { what: 'most database locks during renewals', unit: '', ours: [locks] },
  ];
}

async function measure(): Promise<Figure[]> {
  rmSync(directory, { recursive: true, force: true });
  const { connection, stop } = await startEmbedded({ dataDir: directory });
  let now = Date.parse('2026-11-20T10:00:00Z');
  const app = createApp();
  const db = openDatabase<object>({ connection, schema: 'billing', name: 'bench', maxConnections: 10 });
  try {
    await migrate({ connection, schema: 'billing', directory: migrationsDirectory });
    await migrateJobQueue(connection, createJobQueue('billing'));
    await app.register(provider, {
      ...{ prefix: '/billing', connection, keys: { sandbox: key, secret: 'sk_bench' }, sandbox: true },
      ...{ address: 'http://localhost/billing', managementUrl: 'http://localhost' },
      clock: () => new Date(now),
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const post = async (path: string, body: object) =>
      (
        await fetch(`${address}/billing${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json();
    const { data } = await post('/rcbilling/v1/subscribe', {
      ...{ app_user_id: 'bench', product_id: 'escucho_monthly', email: 'bench@escucho.test' },
      presented_offering_identifier: 'default',
    });
    await post('/sandbox/confirm', { client_secret: data.client_secret, outcome: 'succeeded' });
    await multiply(db);
    const checked = await checks(address, db);
    const renewed = await renewals(db, async () => {
      now += 31 * DAY;
      await sql`update billing_jobs._private_jobs set run_at = now()`.execute(db);
    });
    return [checked, ...renewed];
  } finally {
    await app.close();
    await db.destroy();
    await stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

export const billing: Measurement = {
  name: 'billing',
  title: 'Billing',
  how: `The billing provider with the sandbox gateway, one process, on the embedded database. Checks: 10 connections for 5 s, ${rounds} interleaved rounds; ceiling: a bare Fastify route that reads one row from the database by an index. Renewals: all subscriptions are due at the same moment; each is charged and written to the ledger.`,
  measure,
};
