import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the URL pattern of the chunk that a source file of the web app is built into. */
export function getChunkPattern(source: string): string {
  const manifest = JSON.parse(readFileSync(`${root}apps/web/dist/.vite/manifest.json`, 'utf8'));
  return `**/${manifest[source].file}`;
}

/** A running product: where it is, its process, how long its first answer took from the start on, in milliseconds, and how to end it. */
export interface Running {
  origin: string;
  pid: number;
  startedIn: number;
  stop: () => Promise<void>;
  /** Ends it as a crash would: without a word. */
  kill: () => Promise<void>;
}

/** Where a story's own product listens: another port for each of those that run at the same time. */
export const ownPort =
  Number(process.env.E2E_PORT ?? 4977) + 1 + Number(process.env.TEST_PARALLEL_INDEX ?? 0);

const patience = 120_000;
/** What a fixture that starts a product of its own may take, beside the story's own time; milliseconds. */
export const startPatience = 2 * patience;

/** Waits until an address answers well. Throws when the process ends first, or patience does. */
async function firstAnswer(address: string, child: ChildProcess, began: number): Promise<void> {
  while (performance.now() - began < patience) {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode} before it answered.`);
    const answer = await fetch(address).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`No answer from ${address} within ${patience / 1000} s.`);
}

/** Starts a Node program that listens on a port. In: its arguments, the port, its environment and which path answers when it is ready. */
export async function startNode(
  args: readonly string[],
  port: number,
  { env = {}, ready = '/' }: { env?: Record<string, string>; ready?: string } = {},
): Promise<Running> {
  const origin = `http://localhost:${port}`;
  if (await fetch(origin).catch(() => null)) throw new Error(`Something else answers at ${origin}.`);
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env, PORT: String(port) },
  });
  const orphaned = () => child.kill();
  // A run that is broken off leaves nothing behind that the next would meet at this port.
  process.once('exit', orphaned);
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.off('exit', orphaned);
      resolve();
    }),
  );
  const endBy = (signal: NodeJS.Signals) => () => {
    child.kill(signal);
    return ended;
  };
  const [stop, kill] = [endBy('SIGTERM'), endBy('SIGKILL')];
  try {
    await firstAnswer(`${origin}${ready}`, child, began);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, pid: child.pid ?? 0, startedIn: performance.now() - began, stop, kill };
}

/** The embedded default, whatever this process runs with: a NODE_ENV of its own would make another build of the web. */
export const embedded = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', NODE_ENV: '', DEMO: 'true' };

/** Starts the built product on a port, with its data in a directory, and settings that differ. */
export const startProduct = (
  port: number,
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Running> =>
  startNode(['scripts/start.mjs'], port, {
    ready: '/health/ready',
    env: { ...embedded, DATA_DIR: dataDir, ...settings },
  });

/** Runs a command of the product, as whoever runs it would. In: where its data are, its script in package.json, its words. Out: what it printed. */
export async function runCommand(
  data: string,
  script: 'billing' | 'content',
  ...words: string[]
): Promise<string> {
  const env = { ...process.env, ...embedded, DATA_DIR: data };
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', script, '--', ...words], {
    cwd: root,
    env,
  });
  return stdout;
}

/** A product of a story's own, which it may kill and start again on the same data, at the same address. */
export interface Own {
  origin: string;
  /** Where its data are. */
  data: string;
  kill: () => Promise<void>;
  startAgain: () => Promise<void>;
}

/** Lends a product of its own, on new data at `ownPort`; both are gone after. In: what is done with it, and settings that differ. */
export async function lendProduct(
  use: (own: Own) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'escucho-story-'));
  try {
    let running = await startProduct(ownPort, data, settings);
    try {
      await use({
        origin: running.origin,
        data,
        kill: () => running.kill(),
        startAgain: async () => {
          running = await startProduct(ownPort, data, settings);
        },
      });
    } finally {
      await running.stop();
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
