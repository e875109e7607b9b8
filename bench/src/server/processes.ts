import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '@escucho/database';
import { toDatabaseUrl } from '@escucho/database/testing';
import { readCpuTime } from '../../../apps/server/src/testing/cpu-time.ts';
import { startHaproxy } from '../../../apps/server/src/testing/faults/haproxy.ts';
import { type RunningProcess, root, startProduct } from '../../../e2e/support/product.ts';
import type { Measurement, Result } from '../measurement.ts';
import { startCeilings } from '../support/ceilings.ts';
import { type Database, withDatabase } from '../support/database.ts';
import { growCatalogue } from '../support/generated-catalogue.ts';
import { runPgbench } from '../support/pgbench.ts';
import { sendRequests, type Target } from '../support/requests.ts';
import { createUsers } from '../support/users.ts';
import { findRequests } from './catalogue.ts';

const processCounts = [1, 2, 4] as const;
const ARTICLES = 50_000;
const ROUNDS = 3;
const SECONDS = 3;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 20;
/** For the connections of four processes. */
const MAX_DATABASE_CONNECTIONS = 400;
const RANGE_BYTES = 64 * 1024;
const AUDIO_FILES = 20;
const port = Number(process.env.BENCH_PORT ?? 4187) + 200;
const PROXY_PORT_OFFSET = 20;
const dataDir = join(root, '.cache/bench-processes');

/** Requests per second and milliseconds of processor time per request, of each round. */
interface Measured {
  rate: number[];
  node: number[];
  database: number[];
  proxy: number[];
  client: number[];
}

const createMeasured = (): Measured => ({ rate: [], node: [], database: [], proxy: [], client: [] });

interface Pids {
  node: readonly number[];
  database: number;
  proxy?: number;
}

/** Returns the processor time of each part until now, in milliseconds. */
function readCpu({ node, database, proxy }: Pids) {
  const postgres = readCpuTime(database);
  const { user, system } = process.cpuUsage();
  return {
    node: node.reduce((sum, pid) => sum + readCpuTime(pid).own, 0),
    database: postgres.own + postgres.endedChildren + postgres.descendants,
    proxy: proxy === undefined ? 0 : readCpuTime(proxy).own,
    client: (user + system) / 1000,
  };
}

/** Runs `work`, which returns the number of requests that it sent in SECONDS, and adds the round to the measured ones. */
async function measureRound(measured: Measured, pids: Pids, work: () => Promise<number>): Promise<void> {
  const before = readCpu(pids);
  const count = await work();
  const after = readCpu(pids);
  measured.rate.push(count / SECONDS);
  for (const part of ['node', 'database', 'proxy', 'client'] as const)
    measured[part].push((after[part] - before[part]) / count);
}

/** Starts PostgreSQL with enough connections. */
async function startDatabase() {
  const directory = join(dataDir, 'postgres');
  mkdirSync(directory, { recursive: true, mode: 0o711 });
  writeFileSync(join(directory, 'custom.conf'), `max_connections = ${MAX_DATABASE_CONNECTIONS}\n`);
  const { connection, stop } = await startEmbedded({ dataDir: directory });
  const pid = Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { connection, stop, pid };
}

/** Finds paths of audio that users may play. */
async function findAudioPaths(origin: string, authorization: string): Promise<string[]> {
  const response = await fetch(`${origin}/api/catalogue/articles?limit=${AUDIO_FILES}`, {
    headers: { authorization },
  });
  const { docs }: { docs: { url: string }[] } = await response.json();
  return docs.map(({ url }) => new URL(url, origin)).map(({ pathname, search }) => pathname + search);
}

/** What is requested, by its label. */
async function findKinds(db: Database, origin: string, users: readonly string[]) {
  const requests = await findRequests(db);
  return {
    'a page of 20': requests['a page of 20'],
    'uncached search': requests['uncached search'],
    Discover: requests.Discover,
    'save a position': requests['save a position'],
    [`${RANGE_BYTES / 1024} kB of audio`]: {
      paths: await findAudioPaths(origin, users[0] ?? ''),
      headers: { range: `bytes=0-${RANGE_BYTES - 1}` },
    },
  };
}

function toResults(label: string, counts: ReadonlyMap<number, Measured>, bare: Measured, pgbench: Measured) {
  const [first] = counts.values();
  const results: Result[] = [...counts].map(([count, { rate }]) => ({
    label: `${label}, ${count === 1 ? '1 process' : `${count} processes`}`,
    unit: '/s',
    values: rate,
    ceiling: bare.rate,
  }));
  const hasStatements = pgbench.rate.length > 0;
  if (hasStatements)
    results.push({ label: `${label}, the statements by pgbench`, unit: '/s', values: pgbench.rate });
  const perRequest = `${label}, processor time per request`;
  return [
    ...results,
    { label: `${perRequest}, Node.js`, unit: 'ms', values: first?.node ?? [], ceiling: bare.node },
    {
      label: `${perRequest}, PostgreSQL`,
      unit: 'ms',
      values: first?.database ?? [],
      ...(hasStatements && { ceiling: pgbench.database }),
    },
    { label: `${perRequest}, HAProxy`, unit: 'ms', values: first?.proxy ?? [] },
    { label: `${perRequest}, client`, unit: 'ms', values: first?.client ?? [] },
  ];
}

async function measureKinds(
  products: readonly RunningProcess[],
  database: Awaited<ReturnType<typeof startDatabase>>,
) {
  const { connection, pid } = database;
  const [first] = products;
  if (!first) throw new Error('unreachable');
  const { users, kinds } = await withDatabase(connection, async (db) => {
    await growCatalogue(db, { items: ARTICLES });
    const users = await createUsers({ dataDir }, db);
    return { users, kinds: Object.entries(await findKinds(db, first.origin, users)) };
  });
  const targets = kinds.map(([, requests]): Target => ({ ...first, users, ...requests }));
  const { ceilings, stop } = await startCeilings({ dataDir }, targets);
  const proxies = await Promise.all(
    processCounts.map(async (count, index) => {
      const served = products.slice(0, count);
      const directory = join(dataDir, `haproxy-${count}`);
      mkdirSync(directory);
      const proxyPort = port + PROXY_PORT_OFFSET + index;
      const origins = served.map(({ origin }) => origin.replace('localhost', '127.0.0.1'));
      const proxy = await startHaproxy({ port: proxyPort, origins, directory });
      return { count, served, proxy, origin: `http://127.0.0.1:${proxyPort}` };
    }),
  );
  const results: Result[] = [];
  try {
    for (const [index, [label]] of kinds.entries()) {
      const [target, ceiling] = [targets[index], ceilings[index]];
      if (!target || !ceiling) throw new Error('unreachable');
      const counts = new Map(processCounts.map((count) => [count, createMeasured()]));
      const [bare, pgbench] = [createMeasured(), createMeasured()];
      const send = async (to: Target, seconds = SECONDS) =>
        (await sendRequests(to, CONNECTIONS, seconds)).length;
      await send({ ...target, origin: proxies.at(-1)?.origin ?? '' }, WARM_UP_SECONDS);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const { count, served, proxy, origin } of proxies) {
          const pids = { node: served.map((each) => each.pid), database: pid, proxy: proxy.pid };
          await measureRound(counts.get(count) ?? createMeasured(), pids, () => send({ ...target, origin }));
        }
        await measureRound(bare, { node: [ceiling.database.pid], database: pid }, () =>
          send(ceiling.database),
        );
        if (ceiling.recordings.some(({ statements }) => statements.length > 0))
          await measureRound(pgbench, { node: [], database: pid }, () =>
            runPgbench(connection, ceiling.recordings, { connections: CONNECTIONS, seconds: SECONDS }),
          );
      }
      results.push(...toResults(label, counts, bare, pgbench));
    }
    return results;
  } finally {
    stop();
    for (const { proxy } of proxies) proxy.stop();
  }
}

async function measure(): Promise<Result[]> {
  rmSync(dataDir, { recursive: true, force: true });
  const database = await startDatabase();
  const products: RunningProcess[] = [];
  try {
    const env = { DATABASE_URL: toDatabaseUrl(database.connection), TRUST_PROXY: 'loopback' };
    for (let number = 0; number < Math.max(...processCounts); number += 1)
      products.push(await startProduct(port + number, dataDir, env));
    return await measureKinds(products, database);
  } finally {
    await Promise.all(products.map((product) => product.stop()));
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const processes: Measurement = {
  name: 'processes',
  title: 'Several processes',
  method: `1, 2 and 4 processes behind HAProxy (\`deploy/haproxy\`) on one PostgreSQL, with ${ARTICLES.toLocaleString('en')} generated articles and 1,000 users in turn: ${CONNECTIONS} connections for ${SECONDS} s each after a warm-up, ${ROUNDS} interleaved rounds; client, processes, HAProxy and PostgreSQL share the cores, so that more processes cannot double what a machine does that is busy already. Ceiling of the responses: one bare Fastify process that verifies the token, runs the statements that a request takes when it is alone (without batches) on ten connections, and sends the same bytes, without HAProxy. pgbench runs the same statements without HTTP; its processor time of PostgreSQL is the ceiling there. A saved position is a new one in each request. Processor times are those with one process. Runs only when it is named.`,
  measure,
  explicitOnly: true,
};
