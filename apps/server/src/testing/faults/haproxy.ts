import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const CHECK_INTERVAL_MS = 200;
const HAPROXY = '/usr/sbin/haproxy';

/** Whether HAProxy is installed. */
export const hasHaproxy = existsSync(HAPROXY);

interface HaproxyOptions {
  /** The port to listen on. */
  port: number;
  /** The origins of the processes. */
  origins: readonly string[];
  /** For its configuration. */
  directory: string;
  /** Enough for a few users if unset. */
  maxConnections?: number;
  /** The file for its log, which is discarded if unset. */
  logFile?: string;
}

/** A running HAProxy. */
export interface Haproxy {
  pid: number;
  stop: () => void;
}

const configuration = new URL('../../../../../deploy/haproxy/haproxy.cfg', import.meta.url);

/** Starts HAProxy with the configuration of `deploy`, for other addresses, processes and connections. */
export async function startHaproxy({
  port,
  origins,
  directory,
  maxConnections = 100,
  logFile = '/dev/null',
}: HaproxyOptions): Promise<Haproxy> {
  const servers = origins.map((origin, index) => `  server app-${index + 1} ${new URL(origin).host}`);
  const text = (await readFile(configuration, 'utf8'))
    .replace(/^\s*bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/maxconn \d+/, `maxconn ${maxConnections}`)
    .replaceAll(/( {2}server .*\n)+/g, `${servers.join('\n')}\n`);
  const path = join(directory, 'haproxy.cfg');
  await writeFile(path, text);
  const log = await open(logFile, 'a');
  const child = spawn(HAPROXY, ['-db', '-f', path], { stdio: ['ignore', log.fd, 'inherit'] });
  await log.close();
  const stop = () => void child.kill();
  while (!(await isServing(`http://127.0.0.1:${port}`))) {
    if (child.exitCode !== null) throw new Error(`HAProxy exited with code ${child.exitCode}.`);
    await delay(CHECK_INTERVAL_MS);
  }
  return { pid: child.pid ?? 0, stop };
}

async function isServing(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/health/ready`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok === true;
}
