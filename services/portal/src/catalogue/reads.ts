import {
  type Connection,
  getErrorMessage,
  type Log,
  measureReplicaLag,
  resolveWithin,
} from '@escucho/database';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type Database, openPortalDatabase } from '../database.ts';
import { createPlaylistRepository } from '../playlists/repository.ts';

/** Before requests ask standbys again, after they could not be read. */
const RETRY_DELAY_MS = 5_000;
/** Requests turn to the primary when a standby does not respond for so long. */
const TIMEOUT_MS = 2_000;
const LAG_TIMEOUT_MS = 3_000;

/** Reads what all users share of the catalogue, at a version of it or a newer one. `work` may run twice. */
export type ReadDatabase = <Result>(
  version: number,
  work: (db: Database) => Promise<Result>,
) => Promise<Result>;

type Outcome = 'replica' | 'behind' | 'unreachable';

/** Reads from the primary only. */
export const readFrom =
  (primary: Database): ReadDatabase =>
  (_version, work) =>
    work(primary);

/** Returns whether standbys are asked, given when they last failed, in milliseconds. */
export const canAskReplica = (failedAt: number | undefined, now: number): boolean =>
  failedAt === undefined || now - failedAt >= RETRY_DELAY_MS;

/**
 * Reads on one connection, which always leads to the same standby. Its rows are as new as its version, because the version
 * grows in the transaction of each change.
 *
 * @returns undefined when the standby has not replayed the version yet
 */
const readReplica = <Result>(replica: Database, version: number, work: (db: Database) => Promise<Result>) =>
  replica.connection().execute(async (db) => {
    const replayed = await createPlaylistRepository(db).findCatalogueVersion();
    return replayed < version ? undefined : { result: await work(db) };
  });

interface ReplicaReadsOptions {
  connection: Connection;
  registry: Registry;
  log: Log;
  clock: () => Date;
}

/**
 * Creates readers that use standbys of the database where `connection.replica` names them, and the primary where a standby
 * cannot be read or has not replayed what was asked for.
 */
export function createReplicaReads({ connection: { replica }, registry, log, clock }: ReplicaReadsOptions) {
  if (!replica) return { createReader: readFrom, close: async () => {} };
  const connection = replica;
  const pools: Database[] = [];
  let failedAt: number | undefined;
  const reads = new Counter({
    name: 'catalogue_reads_total',
    help: 'Reads of the catalogue: by a replica, or by the primary because the replica was behind or unreachable',
    labelNames: ['outcome'],
    registers: [registry],
  });

  /** Returns undefined where the primary must be read. */
  async function tryReplica<Result>(
    pool: Database,
    version: number,
    work: (db: Database) => Promise<Result>,
  ) {
    let outcome: Outcome = 'unreachable';
    try {
      if (!canAskReplica(failedAt, clock().getTime())) return undefined;
      const read = await readReplica(pool, version, work);
      outcome = read ? 'replica' : 'behind';
      return read;
    } catch (error) {
      failedAt = clock().getTime();
      log.warn({ reason: getErrorMessage(error) }, 'the replica could not be read, the primary is');
      return undefined;
    } finally {
      reads.inc({ outcome });
    }
  }

  return {
    /**
     * Creates a reader with connections of its own to standbys.
     *
     * @param options - as those of the primary's connections
     */
    createReader(
      primary: Database,
      options: { name: string; maxConnections?: number; settings?: Readonly<Record<string, string>> },
    ): ReadDatabase {
      const name = `${options.name} replica`;
      const pool = openPortalDatabase(connection, { ...options, name, timeoutMs: TIMEOUT_MS, log });
      if (pools.push(pool) === 1) {
        new Gauge({
          name: 'database_replica_lag_bytes',
          help: 'How far the replica is behind the primary; NaN when it cannot be read',
          registers: [registry],
          async collect() {
            this.set(await resolveWithin(LAG_TIMEOUT_MS, measureReplicaLag(primary, pool), Number.NaN));
          },
        });
      }
      return async (version, work) => {
        const read = await tryReplica(pool, version, work);
        return read ? read.result : work(primary);
      };
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}
