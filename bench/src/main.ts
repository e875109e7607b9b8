// `npm run bench`: takes every measurement, or the one that is named, and writes the figures into bench/README.md.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningProcess, root, startProduct } from '../../e2e/support/product.ts';
import { build } from '../../scripts/prepare.mjs';
import { answers } from './answers.ts';
import { billing } from './billing.ts';
import { openBrowser, signInDemo } from './browser.ts';
import { catalogue } from './catalogue.ts';
import { type Bench, type Measurement, type OpenBench, tableOf } from './figure.ts';
import { fuzz } from './fuzz.ts';
import { importing } from './import.ts';
import { load } from './load.ts';
import { player } from './player.ts';
import { playlist } from './playlist.ts';
import { scroll } from './scroll.ts';
import { signIns } from './sign-ins.ts';
import { sound } from './sound.ts';
import { start } from './start.ts';

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { items: { type: 'string' }, data: { type: 'string' }, minutes: { type: 'string' } },
});
const [items, minutes] = [values.items, values.minutes].map((text) =>
  text === undefined ? undefined : Number(text),
);
const all: readonly Measurement[] = [
  start,
  load,
  sound,
  player,
  answers,
  signIns,
  fuzz,
  billing,
  importing,
  catalogue,
  playlist,
  scroll,
];
const port = Number(process.env.BENCH_PORT ?? 4187);
const ownData = join(root, '.cache/bench');
const readme = join(root, 'bench/README.md');

const loadNow = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');

/** Puts a measurement's section between its markers; one that was not taken now keeps its old figures. */
function write(name: string, section: string): void {
  const text = readFileSync(readme, 'utf8');
  const between = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!between.test(text)) throw new Error(`bench/README.md has no section for ${name}.`);
  writeFileSync(
    readme,
    text.replace(between, (_, open: string, close: string) => `${open}${section}\n${close}`),
  );
}

async function take({ name, title, how, measure }: Measurement, open: OpenBench): Promise<void> {
  console.log(`\n${title} …`);
  const before = loadNow();
  const table = tableOf(await measure(open, { items, data: values.data, minutes }));
  const machine = `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load average ${before} before and ${loadNow()} after.`;
  console.log(`${machine}\n\n${table}`);
  write(name, `## ${title}\n\n${how}\n\n${table}\n\n${machine}\n`);
}

const chosen = all.filter(({ name, onlyNamed = false }) =>
  asked.length === 0 ? !onlyNamed : asked.includes(name),
);
if (chosen.length === 0 || asked.some((name) => all.every((one) => one.name !== name))) {
  console.error(`\n  Unknown benchmark. Choose from: ${all.map(({ name }) => name).join(', ')}\n`);
  process.exit(1);
}

// The first start must not be charged with it.
build();

const running: Promise<RunningProcess>[] = [];
const opened = new Map<string, Promise<Bench>>();

async function openProduct(dataDir: string): Promise<Bench> {
  if (dataDir === ownData) rmSync(ownData, { recursive: true, force: true });
  const started = startProduct(port + running.length, dataDir);
  running.push(started);
  const { origin, pid } = await started;
  const browser = await openBrowser();
  const reader = await signInDemo(browser, origin);
  await browser.close();
  return { origin, dataDir, pid, ...reader };
}

// Not before somebody asks: the time to start is taken on a machine at rest.
const open: OpenBench = (dataDir = ownData) => {
  const bench = opened.get(dataDir) ?? openProduct(dataDir);
  opened.set(dataDir, bench);
  return bench;
};

try {
  for (const measurement of chosen) await take(measurement, open);
} finally {
  for (const product of running) await (await product).stop();
  rmSync(ownData, { recursive: true, force: true });
}
