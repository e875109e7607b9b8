import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { DatabaseError, getErrorMessage } from '../database-error.ts';
import { type Log, stderrLog } from '../log.ts';
import { bringUp, type Running } from './bring-up.ts';
import { explainedError } from './explain.ts';
import { ensureDatabase, isNotNow, own } from './owner.ts';
import { findPlace, type Place, removeSocketFolder } from './place.ts';
import { shutDown, signalServer } from './server.ts';
import type { Door } from './settings.ts';

const LEFTOVER_AGE_MS = 600_000;

export interface EmbeddedOptions {
  /** A folder for the database alone; made when absent. */
  readonly dataDir: string;
  readonly log?: Log;
  /** False trades the safety of committed data for speed: for tests alone. */
  readonly durable?: boolean;
}

export interface Embedded {
  readonly connection: Connection;
  /** True when a server that outlived its former process was taken over. */
  readonly adopted: boolean;
  /** Something an operator should know, such as data kept elsewhere. */
  readonly note?: string;
  /** Ends the server in fast mode, whoever started it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data directory, or takes over the server that runs there without an owner, and keeps it
 * running until `stop` or the end of this process.
 * @throws DatabaseFault saying what is wrong and what to do; `in-use` when another process owns the server
 */
export async function startEmbedded({
  dataDir,
  log = stderrLog,
  durable = true,
}: EmbeddedOptions): Promise<Embedded> {
  try {
    const place = await findPlace(resolve(dataDir));
    const running = await bringUpOwned(place, durable);
    try {
      await ensureDatabase(running.client, running.connection.database);
      await removeLeftovers(place);
    } catch (error) {
      await shutDown(place, running.pid);
      throw error;
    }
    log.info({ dataDir: place.root, adopted: !running.launched }, 'PostgreSQL is ready');
    const note = place.notes.join(' ');
    return {
      connection: running.connection,
      adopted: !running.launched,
      ...(note === '' ? {} : { note }),
      stop: keepRunning(place, durable, running, log),
    };
  } catch (error) {
    throw explainedError(`start PostgreSQL in ${dataDir}`, error);
  }
}

async function bringUpOwned(place: Place, durable: boolean, door?: Door): Promise<Running> {
  for (;;) {
    const running = await bringUp(place, durable, door);
    try {
      await own(running.client, place.root);
      return running;
    } catch (error) {
      // its former owner may just have stopped it
      if (!isNotNow(error)) throw error;
    }
  }
}

/** Our own connection must not keep the process alive. `unref` is missing from the types of `pg`. */
function letExit(client: object): void {
  if ('unref' in client && typeof client.unref === 'function') client.unref();
}

/** Starts the server again whenever it goes away. Returns the function that ends both. */
function keepRunning(place: Place, durable: boolean, first: Running, log: Log): () => Promise<void> {
  let running = first;
  let reviving: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const watch = () => {
    letExit(running.client);
    running.client.once('end', () => {
      if (!stopping) reviving = revive();
    });
  };
  const revive = async () => {
    log.error({ dataDir: place.root }, 'PostgreSQL went away: starting it again');
    while (!stopping) {
      try {
        running = await bringUpOwned(place, durable, running.door);
        return watch();
      } catch (error) {
        log.error(
          { dataDir: place.root, reason: getErrorMessage(error) },
          'PostgreSQL could not be started again',
        );
        if (error instanceof DatabaseError && error.code === 'in-use') return;
        await delay(1_000, undefined, { ref: false });
      }
    }
  };
  const onExit = () => signalServer(place, running.pid, 'SIGINT');
  const stop = async () => {
    await reviving;
    process.off('exit', onExit);
    await shutDown(place, running.pid);
    await removeSocketFolder(running.door);
  };
  process.once('exit', onExit);
  watch();
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

/** What starts that were cut off left behind, long enough ago to be none that goes on beside us. */
async function removeLeftovers({ root }: Place): Promise<void> {
  for (const name of await readdir(root)) {
    if (!/^(cluster\.new|copying)-/.test(name)) continue;
    const path = join(root, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}
