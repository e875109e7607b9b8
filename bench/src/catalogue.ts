import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { sql } from 'kysely';
import { copyOf } from './answers.ts';
import { serveBare } from './bare.ts';
import { type Bench, type Figure, type Measurement, median, type OpenBench, type Options } from './figure.ts';
import { placeOf, queriesFor, withLibrary } from './library.ts';
import { processorTime } from './processor.ts';

const rounds = 3;
const seconds = 5;
const warmUpSeconds = 2;
/** On a busy machine an answer may take long, and is counted so. */
const patienceSeconds = 60;
const connectionCounts = [1, 50];
const smallest = 50_000;
const budgetMs = 150;
const repeated = 200;
/** Enough that within a round hardly one is asked again. */
const unheardOf = 12_000;

interface Times {
  p50: number[];
  p99: number[];
  /** Milliseconds of processor for a request: the server's, its database's. */
  server: number[];
  database: number[];
}

const noTimes = (): Times => ({ p50: [], p99: [], server: [], database: [] });

interface Asked {
  origin: string;
  /** The server's process; 0 for one that is not looked at. */
  pid: number;
  paths: readonly string[];
  bearer: string;
}

/**
 * Asks some addresses again and again, each connection its share of them: autocannon makes every request of every connection
 * before the first, while which nothing else is done. Out: what each answer took, in milliseconds and their fractions, which
 * autocannon's own summary rounds away. Throws when an answer is a refusal, for that is quick.
 */
async function asked({ origin, paths, bearer }: Asked, connections: number, duration: number) {
  let connected = 0;
  const times: number[] = [];
  const { non2xx, errors } = await autocannon({
    url: origin,
    connections,
    duration,
    timeout: patienceSeconds,
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

async function timedRound(what: Asked, connections: number, into: Times): Promise<void> {
  const before = processorTime(what.pid);
  const times = (await asked(what, connections, seconds)).sort((a, b) => a - b);
  const after = processorTime(what.pid);
  into.p50.push(median(times));
  into.p99.push(times[Math.floor(times.length * 0.99)] ?? Number.NaN);
  into.server.push((after.own - before.own) / times.length);
  into.database.push((after.below - before.below) / times.length);
}

type Kind = 'search' | 'uncached search' | 'a page of 20' | 'an article' | 'Discover';

/** The addresses of each kind of answer, of many different ones. */
async function addresses(db: Parameters<typeof queriesFor>[0]): Promise<Record<Kind, string[]>> {
  const { rows } = await sql<{ id: string; level: string; language: string }>`
    select id, level, language from article where slug like 'made-%' order by id limit ${repeated}
  `.execute(db);
  const searchOf = (q: string) => `/api/catalogue/search?q=${encodeURIComponent(q)}`;
  return {
    search: (await queriesFor(db, repeated)).map(searchOf),
    'uncached search': [...new Set(await queriesFor(db, unheardOf))].map(searchOf),
    'a page of 20': rows.map(
      ({ id, level, language }) => `/api/catalogue/articles?level=${level}&language=${language}&after=${id}`,
    ),
    'an article': rows.map(({ id }) => `/api/catalogue/read/${id}`),
    Discover: ['/api/catalogue/discover'],
  };
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

function figuresOf(what: string, connections: number, ours: Times, ceiling: Times): Figure[] {
  const budget = connections > 1 ? { budget: budgetMs } : {};
  const times: Figure[] = [
    { what: `${what}, median`, unit: 'ms', ours: ours.p50, ceiling: ceiling.p50 },
    { what: `${what}, p99`, unit: 'ms', ours: ours.p99, ceiling: ceiling.p99, ...budget },
  ];
  if (connections === 1) return times;
  return [
    ...times,
    { what: `${what}, CPU time of Node.js per request`, unit: 'ms', ours: ours.server },
    { what: `${what}, CPU time of PostgreSQL per request`, unit: 'ms', ours: ours.database },
  ];
}

/** Each kind of answer at each count of connections, in turns with a bare route that answers the same bytes. */
async function timed({ origin, pid, bearer }: Bench, kinds: Record<Kind, string[]>, size: string) {
  const figures: Figure[] = [];
  const middles = new Map<string, number>();
  for (const [kind, paths] of Object.entries(kinds)) {
    const copy = await copyOf(`${origin}${paths[0]}`, { authorization: bearer });
    const bare = await serveBare({ '/same': copy });
    const [ours, least]: Asked[] = [
      { origin, pid, paths, bearer },
      { origin: bare.origin, pid: 0, paths: ['/same'], bearer },
    ];
    if (!ours || !least) throw new Error('unreachable');
    await asked(ours, Math.max(...connectionCounts), warmUpSeconds);
    for (const connections of connectionCounts) {
      const [taken, ceiling] = [noTimes(), noTimes()];
      for (let round = 0; round < rounds; round += 1) {
        await timedRound(ours, connections, taken);
        await timedRound(least, connections, ceiling);
      }
      const what = `${kind}, concurrency ${connections}`;
      middles.set(what, median(taken.p50));
      figures.push(...figuresOf(`${size}: ${what}`, connections, taken, ceiling));
    }
    await bare.stop();
  }
  return { figures, middles };
}

/** A product whose library has been grown to a size, asked. */
function measureOne(bench: Bench, items: number) {
  const size = `${items.toLocaleString('en')} articles`;
  return withLibrary(bench, items, async (db, made) => {
    const { figures, middles } = await timed(bench, await addresses(db), size);
    const all: Figure[] = [
      ...(made === null ? [] : [{ what: `${size}: generated in`, unit: 's', ours: [made] }]),
      ...figures,
      { what: `${size}: memory of the server process`, unit: 'MB', ours: [residentMegabytes(bench.pid)] },
    ];
    return { figures: all, middles };
  });
}

/** Asks a catalogue of each size. */
async function measureAt(open: OpenBench, sizes: readonly number[], data: string | undefined) {
  const figures: Figure[] = [];
  const taken: Map<string, number>[] = [];
  for (const items of sizes) {
    const { figures: more, middles } = await measureOne(await open(placeOf(items, data)), items);
    figures.push(...more);
    taken.push(middles);
  }
  const [first, last] = [taken[0], taken.at(-1)];
  if (sizes.length < 2 || !first || !last) return figures;
  const grown = [...last].map(([what, middle]) => ({
    what: `${what}: slowdown from ${sizes.join(' to ')} articles`,
    unit: '×',
    ours: [middle / (first.get(what) ?? Number.NaN)],
    budget: what.includes('search') ? 3 : 2,
  }));
  return [...figures, ...grown];
}

const measure = (open: OpenBench, { items = smallest, data }: Options): Promise<Figure[]> =>
  measureAt(open, items > smallest ? [smallest, items] : [items], data);

export const catalogue: Measurement = {
  name: 'catalogue',
  title: 'Large catalogue',
  how: `A generated catalogue in two languages, with a natural distribution of words (Zipf) and a dozen sentences per article. \`--items 500000\` sets the number of articles, \`--data DIR\` stores the catalogue for the next run. ${repeated} different searches, pages and articles are shared among the connections. Uncached searches are ${unheardOf.toLocaleString('en')} different ones, so that none is served from the result cache; most of their words were searched during the warm-up or a previous round, as in a process that has run for a while. ${seconds} s each after a warm-up, ${rounds} interleaved rounds, client and server on the same machine. Ceiling: a bare Fastify route that returns the same bytes from memory.`,
  measure,
  onlyNamed: true,
};
