import { existsSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Connection } from '../connection.ts';
import { describeFailure } from './failures.ts';
import { ensurePortPassword, initializeCluster } from './initialize.ts';
import { toConnection, tryConnect } from './owner.ts';
import type { ClusterPaths } from './paths.ts';
import { clearStalePidFile, isClusterProcess, readPidFile } from './pid-file.ts';
import { chooseAddress, type Launch, launchServer, stopOrphanedServers } from './server.ts';
import type { ServerAddress } from './settings.ts';

const START_TIMEOUT_MS = 120_000;

/** A server that accepts connections, and a client connected to its maintenance database. */
export interface RunningServer {
  readonly client: Client;
  readonly pid: number;
  readonly address: ServerAddress;
  readonly connection: Connection;
  /** False when the server was already running. */
  readonly launched: boolean;
}

/**
 * Connects to the cluster's server: to the one that runs, after waiting for one that starts or stops, or to a new one.
 *
 * @param address - the address that clients already use, if any
 * @throws DatabaseError with PostgreSQL's own output when the server does not start
 */
export async function connectOrLaunch(
  paths: ClusterPaths,
  durable: boolean,
  address?: ServerAddress,
): Promise<RunningServer> {
  const action = `start PostgreSQL in ${paths.root}`;
  const end = Date.now() + START_TIMEOUT_MS;
  let started: Launch | undefined;
  while (Date.now() < end) {
    const found = readPidFile(paths.cluster);
    if (found && isClusterProcess(found.pid, paths.cluster)) {
      const connection = toConnection(found.address, await ensurePortPassword(paths));
      const client = await tryConnect(connection);
      if (client)
        return { client, ...found, connection, launched: started !== undefined && !started.hasFailed() };
    } else if (!started || started.hasFailed()) {
      if (started) {
        if (!canRetry(started.output())) throw describeFailure(action, started.output());
        await delay(100);
      }
      await stopOrphanedServers(paths);
      await initializeCluster(paths, durable);
      if (found) clearStalePidFile(paths.cluster, found);
      started = launchServer(paths, address ?? (await chooseAddress(paths)), durable);
    }
    await delay(10);
  }
  throw describeFailure(action, started?.output() ?? 'The running server does not answer.');
}

/** Child processes of a killed server may outlive it for a moment, and another start may have been faster. */
function canRetry(output: string): boolean {
  return /pre-existing shared memory block|lock file ".*" already exists/.test(output);
}

/**
 * Returns the connection to the embedded server that runs on a data directory, without taking ownership, for commands
 * used next to the running product. Undefined when none runs there.
 */
export async function findRunningEmbedded(dataDir: string): Promise<Connection | undefined> {
  const requested = resolve(dataDir);
  const root = await readlink(join(requested, 'elsewhere')).catch(() => requested);
  const found = readPidFile(join(root, 'cluster'));
  if (!found) return undefined;
  const password = join(root, 'password');
  const connection = toConnection(
    found.address,
    existsSync(password) ? await readFile(password, 'utf8') : undefined,
  );
  const client = await tryConnect(connection);
  await client?.end();
  return client ? connection : undefined;
}
