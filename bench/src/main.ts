// `npm run bench [-- NAME…]`: runs the named measurements, or all, and writes the results into bench/README.md.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../e2e/support/command-line.ts';
import { type RunningProcess, root, startProduct } from '../../e2e/support/product.ts';
import { build } from '../../scripts/prepare.mjs';
import { clickToAudio } from './browser/click-to-audio.ts';
import { load } from './browser/load.ts';
import { player } from './browser/player.ts';
import { scroll } from './browser/scroll.ts';
import { type Environment, type Measurement, type OpenEnvironment, toMarkdownTable } from './measurement.ts';
import { billing } from './server/billing.ts';
import { catalogue } from './server/catalogue.ts';
import { cluster } from './server/cluster.ts';
import { fuzz } from './server/fuzz.ts';
import { importing } from './server/import.ts';
import { memory } from './server/memory.ts';
import { playlist } from './server/playlist.ts';
import { processes as manyProcesses } from './server/processes.ts';
import { responses } from './server/responses.ts';
import { signIns } from './server/sign-ins.ts';
import { start } from './server/startup.ts';
import { openBrowser, signInDemo } from './support/browser.ts';

const measurements: readonly Measurement[] = [
  start,
  load,
  clickToAudio,
  player,
  responses,
  signIns,
  fuzz,
  billing,
  importing,
  catalogue,
  playlist,
  scroll,
  memory,
  cluster,
  manyProcesses,
];
const listNames = (explicitOnly: boolean) =>
  measurements
    .filter((one) => (one.explicitOnly ?? false) === explicitOnly)
    .map(({ name }) => name)
    .join(', ');

const usage = `Runs benchmarks and writes their results into bench/README.md.

Usage: npm run bench [-- NAME… [options]]

All without a name:       ${listNames(false)}
Only when they are named: ${listNames(true)}

Options of some benchmarks, all numbers but DIR:
  --rounds N       rounds of load, catalogue
  --items N        articles of catalogue, scroll
  --sentences N    sentences of each article of catalogue
  --data DIR       stores the generated catalogues for the next run
  --minutes N      duration of player, memory, cluster
  --listeners N    listeners of cluster
  --requests N     requests of fuzz to each operation`;

const { positionals: names, values } = readArguments(usage, {
  items: { type: 'string' },
  sentences: { type: 'string' },
  listeners: { type: 'string' },
  data: { type: 'string' },
  minutes: { type: 'string' },
  requests: { type: 'string' },
  rounds: { type: 'string' },
});
function toNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (Number(text) > 0) return Number(text);
  console.error(`${text} is not a number above 0.\n\n${usage}`);
  process.exit(2);
}
const options = {
  items: toNumber(values.items),
  sentences: toNumber(values.sentences),
  listeners: toNumber(values.listeners),
  data: values.data,
  minutes: toNumber(values.minutes),
  requests: toNumber(values.requests),
  rounds: toNumber(values.rounds),
};
const port = Number(process.env.BENCH_PORT ?? 4187);
const defaultDataDir = join(root, '.cache/bench');
const readme = join(root, 'bench/README.md');

const formatLoadAverage = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');

/** Replaces the section of a measurement between its markers; other sections keep their earlier results. */
function writeSection(name: string, section: string): void {
  const text = readFileSync(readme, 'utf8');
  const between = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!between.test(text)) throw new Error(`bench/README.md has no section for ${name}.`);
  writeFileSync(
    readme,
    text.replace(between, (_, open: string, close: string) => `${open}${section}\n${close}`),
  );
}

async function runMeasurement(
  { name, title, method, measure }: Measurement,
  open: OpenEnvironment,
): Promise<void> {
  console.log(`\n${title} …`);
  const before = formatLoadAverage();
  const table = toMarkdownTable(await measure(open, options));
  const machine = `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load average ${before} before and ${formatLoadAverage()} after.`;
  console.log(`${machine}\n\n${table}`);
  writeSection(name, `## ${title}\n\n${method}\n\n${table}\n\n${machine}\n`);
}

const selected = measurements.filter(({ name, explicitOnly = false }) =>
  names.length === 0 ? !explicitOnly : names.includes(name),
);
if (selected.length === 0 || names.some((name) => measurements.every((one) => one.name !== name))) {
  console.error(`Unknown benchmark.\n\n${usage}`);
  process.exit(2);
}

// Before the measurement of the startup time, which must not include the build.
if (selected.some(({ needsNoBuild = false }) => !needsNoBuild)) build();

const processes: Promise<RunningProcess>[] = [];
const environments = new Map<string, Promise<Environment>>();

async function startEnvironment(dataDir: string): Promise<Environment> {
  if (dataDir === defaultDataDir) rmSync(defaultDataDir, { recursive: true, force: true });
  const starting = startProduct(port + processes.length, dataDir);
  processes.push(starting);
  const { origin, pid } = await starting;
  const browser = await openBrowser();
  const session = await signInDemo(browser, origin);
  await browser.close();
  return { origin, dataDir, pid, ...session };
}

// Started on demand, so that the startup time is measured on an idle machine.
const open: OpenEnvironment = (dataDir = defaultDataDir) => {
  const environment = environments.get(dataDir) ?? startEnvironment(dataDir);
  environments.set(dataDir, environment);
  return environment;
};

try {
  for (const measurement of selected) await runMeasurement(measurement, open);
} finally {
  for (const product of processes) await (await product).stop();
  rmSync(defaultDataDir, { recursive: true, force: true });
}
