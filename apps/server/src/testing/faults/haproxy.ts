import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

const CHECK_INTERVAL_MS = 200;
const HAPROXY = '/usr/sbin/haproxy';

/** Whether HAProxy is installed. */
export const hasHaproxy = existsSync(HAPROXY);

interface HaproxyOptions {
  /** The port to listen on. */
  port: number;
  /** The origins of two processes. */
  origins: readonly string[];
  /** For files of the test. */
  directory: string;
}

const configuration = new URL('../../../../../deploy/haproxy/haproxy.cfg', import.meta.url);

/** Starts HAProxy with the configuration of `deploy`, for other addresses and fewer connections. */
export async function startHaproxy({ port, origins, directory }: HaproxyOptions): Promise<void> {
  const [first = '', second = ''] = origins.map((origin) => new URL(origin).host);
  const text = (await readFile(configuration, 'utf8'))
    .replace(/^\s*bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/maxconn \d+/, 'maxconn 100')
    .replace('10.0.0.11:3000', first)
    .replace('10.0.0.12:3000', second);
  const path = join(directory, 'haproxy.cfg');
  await writeFile(path, text);
  const child = spawn(HAPROXY, ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill());
  while (!(await isServing(`http://127.0.0.1:${port}`))) {
    if (child.exitCode !== null) throw new Error(`HAProxy exited with code ${child.exitCode}.`);
    await delay(CHECK_INTERVAL_MS);
  }
}

async function isServing(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/health/ready`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok === true;
}
