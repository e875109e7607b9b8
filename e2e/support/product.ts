import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
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

export interface RunningProcess {
  origin: string;
  pid: number;
  /** Milliseconds from the start to the first successful response. */
  startupMs: number;
  stop: () => Promise<void>;
  /** Ends it with SIGKILL, as a crash does. */
  kill: () => Promise<void>;
}

/** The port of a test's isolated product; tests that run in parallel get different ones. */
export const isolatedPort =
  Number(process.env.E2E_PORT ?? 4977) + 1 + Number(process.env.TEST_PARALLEL_INDEX ?? 0);

const START_TIMEOUT_MS = 120_000;
/** The timeout of a fixture that starts an isolated product. */
export const PRODUCT_FIXTURE_TIMEOUT_MS = 2 * START_TIMEOUT_MS;

/** Polls an address until it responds with success. Throws when the process exits or the timeout passes. */
async function waitUntilReady(address: string, child: ChildProcess, startedAt: number): Promise<void> {
  while (performance.now() - startedAt < START_TIMEOUT_MS) {
    if (child.exitCode !== null) throw new Error(`The process exited with code ${child.exitCode}.`);
    const response = await fetch(address).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`No response from ${address} within ${START_TIMEOUT_MS / 1000} s.`);
}

/** Starts a Node.js program that listens on `PORT` and waits until the path `ready` responds. */
export async function startNode(
  args: readonly string[],
  port: number,
  { env = {}, ready = '/' }: { env?: Record<string, string>; ready?: string } = {},
): Promise<RunningProcess> {
  const origin = `http://localhost:${port}`;
  if (await fetch(origin).catch(() => null)) throw new Error(`Another process responds at ${origin}.`);
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env, PORT: String(port) },
  });
  // An aborted run must not leave a process that blocks the port of the next one.
  const killChild = () => child.kill();
  process.once('exit', killChild);
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.off('exit', killChild);
      resolve();
    }),
  );
  const endWith = (signal: NodeJS.Signals) => () => {
    child.kill(signal);
    return exited;
  };
  const [stop, kill] = [endWith('SIGTERM'), endWith('SIGKILL')];
  try {
    await waitUntilReady(`${origin}${ready}`, child, startedAt);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, pid: child.pid ?? 0, startupMs: performance.now() - startedAt, stop, kill };
}

/** Environment variables of the embedded demo. An empty `NODE_ENV` keeps the web build independent of the test runner's. */
export const embeddedEnv = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', NODE_ENV: '', DEMO: 'true' };

/** Starts the built product, with environment variables that differ from the embedded demo's. */
export const startProduct = (
  port: number,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<RunningProcess> =>
  startNode(['scripts/start.mjs'], port, {
    ready: '/health/ready',
    env: { ...embeddedEnv, DATA_DIR: dataDir, ...env },
  });

/** Runs a command-line script of the product on a data directory. Returns its standard output. */
export async function runCommand(
  dataDir: string,
  script: 'billing' | 'content',
  ...args: string[]
): Promise<string> {
  const env = { ...process.env, ...embeddedEnv, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', script, '--', ...args], {
    cwd: root,
    env,
  });
  return stdout;
}

/** A product of one test, which may kill it and restart it on the same data and port. */
export interface IsolatedProduct {
  origin: string;
  dataDir: string;
  kill: () => Promise<void>;
  restart: () => Promise<void>;
}

/** Runs a product on `isolatedPort` with an empty data directory while `use` runs. */
export async function withProduct(
  use: (product: IsolatedProduct) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'escucho-e2e-'));
  // As root, the database would otherwise be outside of the directory and stay.
  await chmod(dataDir, 0o711);
  try {
    let running = await startProduct(isolatedPort, dataDir, env);
    try {
      await use({
        origin: running.origin,
        dataDir,
        kill: () => running.kill(),
        restart: async () => {
          running = await startProduct(isolatedPort, dataDir, env);
        },
      });
    } finally {
      await running.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
