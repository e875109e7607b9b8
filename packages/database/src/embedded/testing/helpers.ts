import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, type QueryResultRow } from 'pg';
import { onTestFinished } from 'vitest';
import { type Connection, clientConfig } from '../../connection.ts';
import { silentLog } from '../../testing/cleanup.ts';
import type { Account } from '../account.ts';
import { findRunningEmbedded } from '../connect-or-launch.ts';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../start-embedded.ts';

/** Starts a database that is stopped at the end of the test. */
export async function startTestServer(options: EmbeddedOptions): Promise<Embedded> {
  const embedded = await startEmbedded({ durable: false, log: silentLog, ...options });
  onTestFinished(() => embedded.stop());
  return embedded;
}

/** Starts a database in another process, and returns what that prints. */
export async function startInOtherProcess(dataDir: string, account?: Account) {
  const script = fileURLToPath(new URL('owner-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], {
    ...account,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    await endProcess(child, 'SIGKILL');
    if (await findRunningEmbedded(dataDir)) await (await startEmbedded({ dataDir, log: silentLog })).stop();
  });
  for await (const line of createInterface(child.stdout)) {
    const printed: {
      connection: Connection;
      adopted: boolean;
      note?: string;
      code?: string;
      message?: string;
    } = JSON.parse(line);
    return { ...printed, child };
  }
  throw new Error('the other process printed nothing');
}

/** Ends a child process and waits for its exit. */
export async function endProcess(child: ChildProcess, signal?: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (signal) child.kill(signal);
  else child.stdin?.end();
  await once(child, 'exit');
}

export async function query<Row extends QueryResultRow>(
  connection: Connection,
  sql: string,
  schema = 'public',
): Promise<Row[]> {
  const client = new Client({
    ...clientConfig(connection, 'test'),
    options: `-c search_path=${schema},public`,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The account `nobody`, for tests that run as root. */
export function getNobodyAccount(): Account {
  const number = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}
