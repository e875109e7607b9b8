import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Connection } from '../connection.ts';
import { explained } from './explain.ts';
import { initialise, portPassword } from './initialise.ts';
import { connectionTo, tryConnect } from './owner.ts';
import { disown, readPidFile, runsCluster } from './pid-file.ts';
import type { Place } from './place.ts';
import { type Launch, launch, newDoor } from './server.ts';
import type { Door } from './settings.ts';

const PATIENCE_MS = 120_000;

/** A server that answers, and a client connected to its maintenance database. */
export interface Running {
  readonly client: Client;
  readonly pid: number;
  readonly door: Door;
  readonly connection: Connection;
  /** False when the server ran already. */
  readonly launched: boolean;
}

/**
 * Gets a server of the place to answer: connects to the one that runs, waits for one that starts or stops, starts one
 * where there is none. `door` is the way in that clients already use, if any.
 * @throws DatabaseFault with PostgreSQL's own words when it does not come up
 */
export async function bringUp(place: Place, durable: boolean, door?: Door): Promise<Running> {
  const doing = `start PostgreSQL in ${place.root}`;
  const end = Date.now() + PATIENCE_MS;
  let started: Launch | undefined;
  while (Date.now() < end) {
    const found = readPidFile(place.cluster);
    if (found && runsCluster(found.pid, place.cluster)) {
      const connection = connectionTo(found.door, await portPassword(place));
      const client = await tryConnect(connection);
      if (client)
        return { client, ...found, connection, launched: started !== undefined && !started.gaveUp() };
    } else if (!started || started.gaveUp()) {
      if (started) {
        if (!mayRetry(started.output())) throw explained(doing, started.output());
        await delay(100);
      }
      await initialise(place, durable);
      if (found) disown(place.cluster, found);
      started = launch(place, door ?? (await newDoor(place)), durable);
    }
    await delay(10);
  }
  throw explained(doing, started?.output() ?? 'The server that runs there does not answer.');
}

/** Processes of a killed server may outlive it for a moment, and another start may have come first. */
function mayRetry(output: string): boolean {
  return /pre-existing shared memory block|lock file ".*" already exists/.test(output);
}
