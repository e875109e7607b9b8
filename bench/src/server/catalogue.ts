import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { sql } from 'kysely';
import {
  type Environment,
  type Measurement,
  median,
  type OpenEnvironment,
  type Options,
  type Result,
} from '../measurement.ts';
import { startBareServer } from '../support/bare-server.ts';
import { readCpuTime } from '../support/cpu-time.ts';
import { createQueries, getCatalogueDir, withGeneratedCatalogue } from '../support/generated-catalogue.ts';
import { copyResponse } from './responses.ts';

const ROUNDS = 3;
const SECONDS = 5;
const WARM_UP_SECONDS = 2;
/** Slow responses of a busy machine count instead of failing. */
const TIMEOUT_SECONDS = 60;
const connectionCounts = [1, 50];
const MIN_ARTICLES = 50_000;
const BUDGET_MS = 150;
const CACHED_PATHS = 200;
/** Enough that hardly any search repeats within a round. */
const UNCACHED_SEARCHES = 12_000;

interface Times {
  p50: number[];
  p99: number[];
  /** CPU milliseconds per request. */
  server: number[];
  database: number[];
}

const createTimes = (): Times => ({ p50: [], p99: [], server: [], database: [] });

interface Target {
  origin: string;
  /** The server's process, or 0 if its CPU time is not measured. */
  pid: number;
  paths: readonly string[];
  bearer: string;
}

/**
 * Requests paths repeatedly, each connection its share: autocannon builds all requests of a connection before the first
 * one, which blocks it. Throws if a response is an error, which would be fast.
 *
 * @returns The latencies in milliseconds with fractions, which autocannon's summary rounds.
 */
async function sendRequests({ origin, paths, bearer }: Target, connections: number, duration: number) {
  let connected = 0;
  const times: number[] = [];
  const { non2xx, errors } = await autocannon({
    url: origin,
    connections,
    duration,
    timeout: TIMEOUT_SECONDS,
    setupClient: (client) => {
      const [from, to] = [connected, connected + 1].map((n) => Math.floor((n * paths.length) / connections));
      connected += 1;
      const share = paths.slice(from, Math.max(to ?? 0, (from ?? 0) + 1));
      client.setRequests(share.map((path) => ({ path, headers: { authorization: bearer } })));
      client.on('response', (_status, _bytes, milliseconds) => times.push(milliseconds));
    },
  });
  if (non2xx + errors > 0) throw new Error(`${paths[0]}: ${non2xx} refused, ${errors} failed.`);
  return times;
}

async function measureRound(target: Target, connections: number, times: Times): Promise<void> {
  const before = readCpuTime(target.pid);
  const latencies = (await sendRequests(target, connections, SECONDS)).sort((a, b) => a - b);
  const after = readCpuTime(target.pid);
  times.p50.push(median(latencies));
  times.p99.push(latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN);
  times.server.push((after.own - before.own) / latencies.length);
  times.database.push((after.descendants - before.descendants) / latencies.length);
}

type Kind = 'search' | 'uncached search' | 'a page of 20' | 'an article' | 'Discover';

async function findPaths(db: Parameters<typeof createQueries>[0]): Promise<Record<Kind, string[]>> {
  const { rows } = await sql<{ id: string; level: string; language: string }>`
    select id, level, language from article where slug like 'generated-%' order by id limit ${CACHED_PATHS}
  `.execute(db);
  const toSearchPath = (q: string) => `/api/catalogue/search?q=${encodeURIComponent(q)}`;
  return {
    search: (await createQueries(db, CACHED_PATHS)).map(toSearchPath),
    'uncached search': [...new Set(await createQueries(db, UNCACHED_SEARCHES))].map(toSearchPath),
    'a page of 20': rows.map(
      ({ id, level, language }) => `/api/catalogue/articles?level=${level}&language=${language}&after=${id}`,
    ),
    'an article': rows.map(({ id }) => `/api/catalogue/read/${id}`),
    Discover: ['/api/catalogue/discover'],
  };
}

const getResidentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

function toResults(label: string, connections: number, times: Times, ceiling: Times): Result[] {
  const budget = connections > 1 ? { budget: BUDGET_MS } : {};
  const latencies: Result[] = [
    { label: `${label}, median`, unit: 'ms', values: times.p50, ceiling: ceiling.p50 },
    { label: `${label}, p99`, unit: 'ms', values: times.p99, ceiling: ceiling.p99, ...budget },
  ];
  if (connections === 1) return latencies;
  return [
    ...latencies,
    { label: `${label}, CPU time of Node.js per request`, unit: 'ms', values: times.server },
    { label: `${label}, CPU time of PostgreSQL per request`, unit: 'ms', values: times.database },
  ];
}

/** Measures each kind of request at each number of connections, compared to a bare route with the same response. */
async function measureKinds(
  { origin, pid, bearer }: Environment,
  kinds: Record<Kind, string[]>,
  size: string,
) {
  const results: Result[] = [];
  const medians = new Map<string, number>();
  for (const [kind, paths] of Object.entries(kinds)) {
    const copy = await copyResponse(`${origin}${paths[0]}`, { authorization: bearer });
    const bareServer = await startBareServer({ '/same': copy });
    const [product, bare]: Target[] = [
      { origin, pid, paths, bearer },
      { origin: bareServer.origin, pid: 0, paths: ['/same'], bearer },
    ];
    if (!product || !bare) throw new Error('unreachable');
    await sendRequests(product, Math.max(...connectionCounts), WARM_UP_SECONDS);
    for (const connections of connectionCounts) {
      const [times, ceiling] = [createTimes(), createTimes()];
      for (let round = 0; round < ROUNDS; round += 1) {
        await measureRound(product, connections, times);
        await measureRound(bare, connections, ceiling);
      }
      const label = `${kind}, concurrency ${connections}`;
      medians.set(label, median(times.p50));
      results.push(...toResults(`${size}: ${label}`, connections, times, ceiling));
    }
    await bareServer.stop();
  }
  return { results, medians };
}

function measureSize(environment: Environment, items: number) {
  const size = `${items.toLocaleString('en')} articles`;
  return withGeneratedCatalogue(environment, items, async (db, generationSeconds) => {
    const { results, medians } = await measureKinds(environment, await findPaths(db), size);
    const allResults: Result[] = [
      ...(generationSeconds === null
        ? []
        : [{ label: `${size}: generated in`, unit: 's', values: [generationSeconds] }]),
      ...results,
      {
        label: `${size}: memory of the server process`,
        unit: 'MB',
        values: [getResidentMb(environment.pid)],
      },
    ];
    return { results: allResults, medians };
  });
}

async function measureSizes(open: OpenEnvironment, sizes: readonly number[], data: string | undefined) {
  const results: Result[] = [];
  const runs: Map<string, number>[] = [];
  for (const items of sizes) {
    const { results: newResults, medians } = await measureSize(
      await open(getCatalogueDir(items, data)),
      items,
    );
    results.push(...newResults);
    runs.push(medians);
  }
  const [first, last] = [runs[0], runs.at(-1)];
  if (sizes.length < 2 || !first || !last) return results;
  const slowdowns = [...last].map(([label, value]) => ({
    label: `${label}: slowdown from ${sizes.join(' to ')} articles`,
    unit: '×',
    values: [value / (first.get(label) ?? Number.NaN)],
    budget: label.includes('search') ? 3 : 2,
  }));
  return [...results, ...slowdowns];
}

const measure = (open: OpenEnvironment, { items = MIN_ARTICLES, data }: Options): Promise<Result[]> =>
  measureSizes(open, items > MIN_ARTICLES ? [MIN_ARTICLES, items] : [items], data);

export const catalogue: Measurement = {
  name: 'catalogue',
  title: 'Large catalogue',
  method: `A generated catalogue in two languages, with a natural distribution of words (Zipf) and a dozen sentences per article. \`--items 500000\` sets the number of articles, \`--data DIR\` stores the catalogue for the next run. ${CACHED_PATHS} different searches, pages and articles are shared among the connections. Uncached searches are ${UNCACHED_SEARCHES.toLocaleString('en')} different ones, so that none is served from the result cache; most of their words were searched during the warm-up or a previous round, as in a process that has run for a while. ${SECONDS} s each after a warm-up, ${ROUNDS} interleaved rounds, client and server on the same machine. Ceiling: a bare Fastify route that returns the same bytes from memory.`,
  measure,
  explicitOnly: true,
};
