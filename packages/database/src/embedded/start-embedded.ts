import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { DatabaseError, getErrorMessage } from '../database-error.ts';
import { type Log, stderrLog } from '../open-database.ts';
import {
  acquireOwnership,
  connectOrLaunch,
  ensureDatabase,
  isTemporarilyUnavailable,
  type RunningServer,
} from './connect-or-launch.ts';
import { type ClusterPaths, preparePaths, removeSocketFolder } from './paths.ts';
import { signalServer, stopServer, toDatabaseError } from './server.ts';
import type { ServerAddress } from './settings.ts';

const ABANDONED_AGE_MS = 600_000;

export interface EmbeddedOptions {
  /** A folder for the database alone; created when absent. */
  readonly dataDir: string;
  readonly log?: Log;
  /** False trades the durability of committed data for speed, for tests. */
  readonly durable?: boolean;
}

export interface Embedded {
  readonly connection: Connection;
  /** True when a running server without an owner was adopted. */
  readonly adopted: boolean;
  /** A note for the operator, such as data stored in another folder. */
  readonly note?: string;
  /** Stops the server in fast mode, adopted or not. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data directory, or adopts the server that runs there without an owner, and restarts it when it
 * crashes, until `stop` or the end of this process.
 *
 * @throws DatabaseError with advice for the operator; `in-use` when another process owns the server
 */
export async function startEmbedded({
  dataDir,
  log = stderrLog,
  durable = true,
}: EmbeddedOptions): Promise<Embedded> {
  try {
    const paths = await preparePaths(resolve(dataDir), durable);
    const running = await startOwned(paths);
    try {
      await ensureDatabase(running.client, running.connection.database);
      await removeAbandonedFolders(paths);
    } catch (error) {
      await stopServer(paths, running.pid);
      throw error;
    }
    log.info({ dataDir: paths.root, adopted: !running.launched }, 'PostgreSQL is ready');
    const note = paths.notes.join(' ');
    return {
      connection: running.connection,
      adopted: !running.launched,
      ...(note === '' ? {} : { note }),
      stop: keepRunning(paths, running, log),
    };
  } catch (error) {
    throw toDatabaseError(`start PostgreSQL in ${dataDir}`, error);
  }
}

async function startOwned(paths: ClusterPaths, address?: ServerAddress): Promise<RunningServer> {
  for (;;) {
    const running = await connectOrLaunch(paths, address);
    try {
      await acquireOwnership(running.client, paths.root);
      return running;
    } catch (error) {
      // Its former owner may just have stopped it.
      if (!isTemporarilyUnavailable(error)) throw error;
    }
  }
}

/** Lets the process exit while the connection is open. `unref` is missing from the types of `pg`. */
function unrefConnection(client: object): void {
  if ('unref' in client && typeof client.unref === 'function') client.unref();
}

/** Restarts the server whenever it goes away. Returns the function that stops it for good. */
function keepRunning(paths: ClusterPaths, first: RunningServer, log: Log): () => Promise<void> {
  let running = first;
  let reviving: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const watch = () => {
    unrefConnection(running.client);
    running.client.once('end', () => {
      if (!stopping) reviving = revive();
    });
  };
  const revive = async () => {
    log.error({ dataDir: paths.root }, 'PostgreSQL stopped unexpectedly and is restarted');
    while (!stopping) {
      try {
        running = await startOwned(paths, running.address);
        return watch();
      } catch (error) {
        log.error(
          { dataDir: paths.root, reason: getErrorMessage(error) },
          'PostgreSQL could not be restarted',
        );
        if (error instanceof DatabaseError && error.code === 'in-use') return;
        await delay(1_000, undefined, { ref: false });
      }
    }
  };
  const onExit = () => signalServer(paths, running.pid, 'SIGINT');
  const stop = async () => {
    await reviving;
    process.off('exit', onExit);
    await stopServer(paths, running.pid);
    await removeSocketFolder(running.address);
  };
  process.once('exit', onExit);
  watch();
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

/** Removes folders of interrupted starts that are too old to belong to one in progress. */
async function removeAbandonedFolders({ root }: ClusterPaths): Promise<void> {
  for (const name of await readdir(root)) {
    if (!/^(cluster\.new|copying)-/.test(name)) continue;
    const path = join(root, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}
