import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { readCpuTime } from '../../../apps/server/src/testing/cpu-time.ts';
import {
  type Environment,
  type Measurement,
  median,
  type OpenEnvironment,
  type Options,
  type Result,
} from '../measurement.ts';
import { MAX_RECORDED, startCeilings } from '../support/ceilings.ts';
import { createQueries, getCatalogueDir, withGeneratedCatalogue } from '../support/generated-catalogue.ts';
import { sendRequests, type Target } from '../support/requests.ts';
import { createUsers } from '../support/users.ts';

const ROUNDS = 5;
const SECONDS = 5;
const WARM_UP_SECONDS = 2;
const connectionCounts = [1, 50];
const MIN_ARTICLES = 50_000;
const BUDGET_MS = 150;
const CACHED_PATHS = 200;
/** Enough that none repeats: each round has its share of them. */
const UNCACHED_SEARCHES = 40_000;
const UNCACHED_PAGES = 40_000;
/** The last row that the web app shows of a list. */
const LONGEST_JUMP = 150_000;

interface Times {
  p50: number[];
  p99: number[];
  /** CPU milliseconds per request. */
  server: number[];
  database: number[];
}

const createTimes = (): Times => ({ p50: [], p99: [], server: [], database: [] });

async function measureRound(target: Target, connections: number, times: Times): Promise<void> {
  const before = readCpuTime(target.pid);
  const latencies = (await sendRequests(target, connections, SECONDS)).sort((a, b) => a - b);
  const after = readCpuTime(target.pid);
  times.p50.push(median(latencies));
  times.p99.push(latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN);
  times.server.push((after.own - before.own) / latencies.length);
  times.database.push((after.descendants - before.descendants) / latencies.length);
}

type Kind =
  | 'search'
  | 'uncached search'
  | 'a page of 20'
  | 'a jump far into a list'
  | 'an article'
  | 'Discover'
  | 'save a position';
type Requests = Pick<Target, 'paths' | 'createBody' | 'uncachedSuffix'>;

/** Finds what is requested of a generated catalogue, by kind. */
export async function findRequests(db: Parameters<typeof createQueries>[0]): Promise<Record<Kind, Requests>> {
  const { rows } = await sql<{ id: string; level: string; language: string }>`
    select id, level, language from article where slug like 'generated-%' order by id limit ${CACHED_PATHS}
  `.execute(db);
  const total = (await sql<{ total: number }>`select count(*) as total from article`.execute(db)).rows[0]
    ?.total;
  const maxSkip = Math.min(LONGEST_JUMP, total ?? 0);
  const toSearchPath = (q: string) => `/api/catalogue/search?q=${encodeURIComponent(q)}`;
  const createPosition = () => ({
    track: rows[Math.floor(Math.random() * rows.length)]?.id,
    device: randomUUID(),
    sequence: 1,
    position: 10,
    cause: 'tick',
  });
  return {
    search: { paths: (await createQueries(db, CACHED_PATHS)).map(toSearchPath) },
    'uncached search': {
      paths: [...new Set(await createQueries(db, UNCACHED_SEARCHES))].map(toSearchPath),
      uncachedSuffix: '&limit=19',
    },
    'a page of 20': {
      paths: rows.map(
        ({ id, level, language }) =>
          `/api/catalogue/articles?level=${level}&language=${language}&after=${id}`,
      ),
    },
    'a jump far into a list': {
      paths: Array.from(
        { length: UNCACHED_PAGES },
        (_, index) => `/api/catalogue/articles?skip=${Math.round((index / UNCACHED_PAGES) * maxSkip)}`,
      ),
      uncachedSuffix: '&limit=19',
    },
    'an article': { paths: rows.map(({ id }) => `/api/catalogue/read/${id}`) },
    Discover: { paths: ['/api/catalogue/discover'] },
    // So many users are recorded for the ceiling, so that they do not wait for each other's locks.
    'save a position': {
      paths: Array.from({ length: MAX_RECORDED }, () => '/api/listening/progress'),
      createBody: createPosition,
    },
  };
}

const getResidentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

interface Measured {
  product: Times;
  memory: Times;
  database: Times;
}

function toResults(label: string, connections: number, { product, memory, database }: Measured): Result[] {
  const budget = connections > 1 ? { budget: BUDGET_MS } : {};
  const latencies: Result[] = [
    { label: `${label}, median`, unit: 'ms', values: product.p50, ceiling: database.p50 },
    { label: `${label}, p99`, unit: 'ms', values: product.p99, ceiling: database.p99, ...budget },
  ];
  if (connections === 1) return latencies;
  const cpu = { label: `${label}, CPU time of Node.js per request`, unit: 'ms', values: product.server };
  return [
    ...latencies,
    { ...cpu, ceiling: database.server },
    { ...cpu, label: `${cpu.label}, compared to memory`, ceiling: memory.server },
    { label: `${label}, CPU time of PostgreSQL per request`, unit: 'ms', values: product.database },
  ];
}

/** Creates a function that returns a target for a round: with its share of the paths that are not cached, or with all. */
function createShares(target: Target, rounds: number): () => Target {
  let round = 0;
  return () => {
    const share = round++;
    if (target.uncachedSuffix === undefined) return target;
    return { ...target, paths: target.paths.filter((_, index) => index % rounds === share) };
  };
}

/** Measures a kind of request at a number of connections, in turns with its ceilings. */
async function measureKind(
  getProduct: () => Target,
  { memory, database }: Record<'memory' | 'database', Target>,
  connections: number,
  rounds: number,
): Promise<Measured> {
  const measured = { product: createTimes(), memory: createTimes(), database: createTimes() };
  for (let round = 0; round < rounds; round += 1) {
    await measureRound(getProduct(), connections, measured.product);
    await measureRound(memory, connections, measured.memory);
    await measureRound(database, connections, measured.database);
  }
  return measured;
}

/** Measures each kind of request at each number of connections. */
async function measureKinds(
  environment: Environment,
  kinds: Record<Kind, Requests>,
  users: readonly string[],
  { size, rounds }: { size: string; rounds: number },
) {
  const { origin, pid } = environment;
  const targets = Object.values(kinds).map((requests): Target => ({ origin, pid, users, ...requests }));
  const { ceilings, stop } = await startCeilings(environment, targets);
  const results: Result[] = [];
  const medians = new Map<string, number>();
  for (const [index, kind] of Object.keys(kinds).entries()) {
    const [product, ceiling] = [targets[index], ceilings[index]];
    if (!product || !ceiling) throw new Error('unreachable');
    const getProduct = createShares(product, 1 + connectionCounts.length * rounds);
    await sendRequests(getProduct(), Math.max(...connectionCounts), WARM_UP_SECONDS);
    for (const connections of connectionCounts) {
      const measured = await measureKind(getProduct, ceiling, connections, rounds);
      const label = `${kind}, concurrency ${connections}`;
      medians.set(label, median(measured.product.p50));
      results.push(...toResults(`${size}: ${label}`, connections, measured));
    }
  }
  stop();
  return { results, medians };
}

function measureSize(environment: Environment, items: number, { sentences, rounds = ROUNDS }: Options) {
  const size = `${items.toLocaleString('en')} articles`;
  return withGeneratedCatalogue(environment, { items, sentences }, async (db, generationSeconds) => {
    const users = await createUsers(environment, db);
    const kinds = await findRequests(db);
    const { results, medians } = await measureKinds(environment, kinds, users, { size, rounds });
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

async function measureSizes(open: OpenEnvironment, sizes: readonly number[], options: Options) {
  const { sentences, data } = options;
  const results: Result[] = [];
  const runs: Map<string, number>[] = [];
  for (const items of sizes) {
    const environment = await open(getCatalogueDir({ items, sentences }, data));
    const { results: newResults, medians } = await measureSize(environment, items, options);
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

/** Measures a catalogue, and one of a tenth of its size before. */
function measure(open: OpenEnvironment, options: Options): Promise<Result[]> {
  const { items = MIN_ARTICLES } = options;
  const tenth = Math.max(MIN_ARTICLES, items / 10);
  return measureSizes(open, items > tenth ? [tenth, items] : [items], options);
}

export const catalogue: Measurement = {
  name: 'catalogue',
  title: 'Large catalogue',
  method: `A generated catalogue in two languages, with a natural distribution of words (Zipf) and a dozen sentences per article. \`--items 500000\` sets the number of articles (a tenth of them is measured before), \`--sentences 3\` the sentences of each, \`--data DIR\` stores the catalogue for the next run. ${CACHED_PATHS} different searches, pages and articles are shared among the connections. Uncached searches are ${UNCACHED_SEARCHES.toLocaleString('en')} different ones, each requested in one round only, so that none is served from the cache of results, nor are many of their words from the cache of words. Jumps go to ${UNCACHED_PAGES.toLocaleString('en')} places of the list of all articles, each in one round only. ${SECONDS} s each after a warm-up, ${ROUNDS} interleaved rounds, client and server on the same machine. Requests have the Accept-Encoding of browsers, and come from 1,000 users in turn. Ceiling: a bare Fastify route that verifies the token, runs the same statements on as many connections, and returns the same bytes; compared to memory: one that verifies the token and returns the same bytes.`,
  measure,
  explicitOnly: true,
};
