import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, runningEmbedded } from '@escucho/database';
import autocannon from 'autocannon';
import { sql } from 'kysely';
import { copyOf } from './answers.ts';
import { serveBare } from './bare.ts';
import { type Bench, type Figure, type Measurement, median, type OpenBench, type Options } from './figure.ts';
import { makeLibrary, queriesFor } from './library.ts';

const rounds = 3;
const seconds = 3;
const connectionCounts = [1, 50];
const smallest = 50_000;
const budgetMs = 150;

interface Times {
  p50: number[];
  p99: number[];
}

/** Asks some addresses again and again. Throws when an answer is a refusal, for that is quick. */
async function asked(
  origin: string,
  paths: readonly string[],
  bearer: string,
  connections: number,
  into: Times,
) {
  const { latency, non2xx, errors } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({ path, headers: { authorization: bearer } })),
  });
  if (non2xx + errors > 0) throw new Error(`${paths[0]}: ${non2xx} refused, ${errors} failed.`);
  into.p50.push(latency.p50);
  into.p99.push(latency.p99);
}

type Kind = 'search' | 'a page of 20' | 'an article' | 'Discover';

/** The addresses of each kind of answer, of many different ones. */
async function addresses(db: Parameters<typeof queriesFor>[0]): Promise<Record<Kind, string[]>> {
  const { rows } = await sql<{ id: string; level: string; language: string }>`
    select id, level, language from article where slug like 'made-%' order by id limit 200
  `.execute(db);
  const queries = await queriesFor(db, 200);
  return {
    search: queries.map((q) => `/api/catalogue/search?q=${encodeURIComponent(q)}`),
    'a page of 20': rows.map(
      ({ id, level, language }) => `/api/catalogue/articles?level=${level}&language=${language}&after=${id}`,
    ),
    'an article': rows.map(({ id }) => `/api/catalogue/read/${id}`),
    Discover: ['/api/catalogue/discover'],
  };
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

/** Each kind of answer at each count of connections, in turns with a bare route that answers the same bytes. */
async function timed({ origin, bearer }: Bench, paths: Record<Kind, string[]>, size: string) {
  const figures: Figure[] = [];
  const middles = new Map<string, number>();
  for (const [kind, all] of Object.entries(paths)) {
    const bare = await serveBare({ '/same': await copyOf(`${origin}${all[0]}`, { authorization: bearer }) });
    for (const connections of connectionCounts) {
      const [ours, ceiling]: [Times, Times] = [
        { p50: [], p99: [] },
        { p50: [], p99: [] },
      ];
      for (let round = 0; round < rounds; round += 1) {
        await asked(origin, all, bearer, connections, ours);
        await asked(bare.origin, ['/same'], bearer, connections, ceiling);
      }
      const what = `${size}: ${kind}, ${connections} at a time`;
      // One at a time a bare route answers in less than a millisecond, which is as fine as the clock of the load is.
      const compared = (name: keyof Times) => (connections > 1 ? { ceiling: ceiling[name] } : {});
      const budget = connections > 1 ? { budget: budgetMs } : {};
      middles.set(`${kind}, ${connections} at a time`, median(ours.p50));
      figures.push({ what: `${what}, middle`, unit: 'ms', ours: ours.p50, ...compared('p50') });
      const slowest = `${what}, slowest in a hundred`;
      figures.push({ what: slowest, unit: 'ms', ours: ours.p99, ...compared('p99'), ...budget });
    }
    await bare.stop();
  }
  return { figures, middles };
}

/** Grows a product's library to each size and asks it. */
export async function measureAt(bench: Bench, sizes: readonly number[]): Promise<Figure[]> {
  const connection = await runningEmbedded(join(bench.dataDir, 'postgres'));
  if (!connection) throw new Error('The product runs on no embedded database.');
  const db = openDatabase<object>({ connection, schema: 'portal', name: 'bench', maxConnections: 1 });
  const figures: Figure[] = [];
  const taken: Map<string, number>[] = [];
  try {
    for (const items of sizes) {
      const size = `${items.toLocaleString('en')} articles`;
      const made = await makeLibrary(db, items);
      figures.push({ what: `${size}: made in`, unit: 's', ours: [made] });
      const { figures: more, middles } = await timed(bench, await addresses(db), size);
      figures.push(...more);
      taken.push(middles);
      figures.push({
        what: `${size}: memory of the server's process`,
        unit: 'MB',
        ours: [residentMegabytes(bench.pid)],
      });
    }
  } finally {
    await db.destroy();
  }
  const [first, last] = [taken[0], taken.at(-1)];
  if (sizes.length < 2 || !first || !last) return figures;
  const grown = [...last].map(([what, middle]) => ({
    what: `${what}: times slower when ${sizes.join(' become ')}`,
    unit: '×',
    ours: [middle / (first.get(what) ?? Number.NaN)],
    budget: what.startsWith('search') ? 3 : 2,
  }));
  return [...figures, ...grown];
}

const measure = async (open: OpenBench, { items = smallest }: Options): Promise<Figure[]> =>
  measureAt(await open(), items > smallest ? [smallest, items] : [items]);

export const catalogue: Measurement = {
  name: 'catalogue',
  title: 'A large catalogue',
  how: `Articles made for it, in two languages, with words as frequent as people's (Zipf) and a dozen sentences each; \`--items 500000\` says how many. 200 different searches, pages and articles, ${seconds} s each, ${rounds} interleaved rounds, client and server on the same machine. Ceiling: a bare Fastify route that answers the same bytes from memory.`,
  measure,
  onlyNamed: true,
};
