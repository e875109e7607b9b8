import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { billing as provider } from '@escucho/billing';
import { openDatabase, startEmbedded } from '@escucho/database';
import { openJobConnections } from '@escucho/jobs';
import { createApp } from '@escucho/service-kit';
import autocannon from 'autocannon';
import Fastify from 'fastify';
import { type Kysely, sql } from 'kysely';
import { migrateAll } from '../../../apps/server/src/storage.ts';
import { root } from '../../../e2e/support/product.ts';
import type { Measurement, Result } from '../measurement.ts';

const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 100_000);
const ROUNDS = 3;
const DAY_MS = 86_400_000;
const dataDir = join(root, '.cache/bench-billing');
const API_KEY = 'rcb_sb_bench';
const SECRET_KEY = 'sk_bench';

/** Copies the purchased subscription `SUBSCRIPTIONS` times. */
async function copySubscription(db: Kysely<object>): Promise<void> {
  await sql`insert into subscriber (app_user_id, payers, first_seen_at)
    select 'bench-' || n, payers, first_seen_at from subscriber, generate_series(1, ${SUBSCRIPTIONS}) n
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

const measureRate = async (url: string): Promise<number> => {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const { requests, non2xx, errors } = await autocannon({ url, connections: 10, duration: 5, headers });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed.`);
  return requests.average;
};

/** Measures entitlement checks and a bare route that reads one row. */
async function measureChecks(origin: string, db: Kysely<object>): Promise<Result> {
  const bare = Fastify();
  bare.get('/row', async () => {
    const { rows } = await sql`select app_user_id from subscriber where app_user_id = 'bench-7'`.execute(db);
    return rows[0];
  });
  const bareOrigin = await bare.listen({ port: 0, host: '127.0.0.1' });
  const rates: number[] = [];
  const ceiling: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push(await measureRate(`${origin}/billing/v1/subscribers/bench-7`));
    ceiling.push(await measureRate(`${bareOrigin}/row`));
  }
  await bare.close();
  return { label: 'entitlement checks', unit: '/s', values: rates, ceiling };
}

const readCount = async (query: Promise<{ rows: { count: number }[] }>): Promise<number> =>
  (await query).rows[0]?.count ?? 0;

const BYTES_PER_MB = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns the heap after garbage collection, in MB. */
function getRetainedMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / BYTES_PER_MB;
}

/** Makes all subscriptions due at once and waits until they are renewed. */
async function measureRenewals(db: Kysely<object>, makeDue: () => Promise<void>): Promise<Result[]> {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const heapBefore = getRetainedMb();
  const memoryBefore = process.memoryUsage().rss / BYTES_PER_MB;
  let memory = 0;
  let locks = 0;
  await makeDue();
  for (;;) {
    memory = Math.max(memory, process.memoryUsage().rss);
    const lockQuery = sql<{
      count: number;
    }>`select count(*) from pg_locks where locktype in ('tuple', 'relation')`;
    locks = Math.max(locks, await readCount(lockQuery.execute(db)));
    const renewedQuery = sql<{
      count: number;
    }>`select count(*) from subscription_event where kind = 'renewed'`;
    if ((await readCount(renewedQuery.execute(db))) >= SUBSCRIPTIONS) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return [
    { label: `renewing ${SUBSCRIPTIONS.toLocaleString('en')} subscriptions`, unit: 's', values: [seconds] },
    { label: 'renewals per second', unit: '/s', values: [SUBSCRIPTIONS / seconds] },
    {
      label: 'CPU time of the service per renewal',
      unit: 'ms',
      values: [(user + system) / 1000 / SUBSCRIPTIONS],
    },
    { label: 'memory of the process before renewals', unit: 'MB', values: [memoryBefore] },
    { label: 'peak memory of the process during renewals', unit: 'MB', values: [memory / BYTES_PER_MB] },
    { label: 'heap after garbage collection, before', unit: 'MB', values: [heapBefore] },
    { label: 'heap after garbage collection, after', unit: 'MB', values: [getRetainedMb()] },
    { label: 'most database locks during renewals', unit: '', values: [locks] },
  ];
}

async function measure(): Promise<Result[]> {
  rmSync(dataDir, { recursive: true, force: true });
  const { connection, stop } = await startEmbedded({ dataDir });
  let now = Date.parse('2026-11-20T10:00:00Z');
  const app = createApp();
  const db = openDatabase<object>({
    connection,
    schema: 'billing',
    name: 'bench',
    maxConnections: 10,
    // The copies of the subscription are one statement.
    hasNoTimeouts: true,
  });
  try {
    await migrateAll(connection);
    const jobs = await openJobConnections({ connection, log: app.log });
    app.addHook('onClose', () => jobs.close());
    await app.register(provider, {
      prefix: '/billing',
      connection,
      jobs,
      keys: { sandbox: API_KEY, secret: SECRET_KEY },
      sandbox: true,
      address: 'http://localhost/billing',
      managementUrl: 'http://localhost',
      clock: () => new Date(now),
    });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    async function post(path: string, body: object, headers: Record<string, string> = {}) {
      const response = await fetch(`${origin}/billing${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    }
    const asServer = { authorization: `Bearer ${SECRET_KEY}` };
    const { token } = await post('/v1/subscribers/bench/purchase-tokens', {}, asServer);
    const order = {
      app_user_id: 'bench',
      product_id: 'escucho_monthly',
      email: 'bench@escucho.test',
      presented_offering_identifier: 'default',
    };
    const { data } = await post('/rcbilling/v1/subscribe', order, { 'x-purchase-token': token });
    await post('/sandbox/confirm', { client_secret: data.client_secret, outcome: 'succeeded' });
    await copySubscription(db);
    const checkResult = await measureChecks(origin, db);
    const renewalResults = await measureRenewals(db, async () => {
      now += 31 * DAY_MS;
      await sql`update billing_jobs._private_jobs set run_at = now()`.execute(db);
    });
    return [checkResult, ...renewalResults];
  } finally {
    await app.close();
    await db.destroy();
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const billing: Measurement = {
  name: 'billing',
  title: 'Billing',
  method: `The billing provider with the sandbox gateway, one process, on the embedded database. Checks: 10 connections for 5 s, ${ROUNDS} interleaved rounds; ceiling: a bare Fastify route that reads one row from the database by an index. Renewals: all subscriptions are due at the same moment; each is charged and written to the ledger.`,
  measure,
};
