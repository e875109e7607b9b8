import { join } from 'node:path';
import { type Connection, findRunningEmbedded, openDatabase } from '@escucho/database';
import type { Kysely } from 'kysely';
import type { Environment } from '../measurement.ts';

export type Database = Kysely<object>;

/**
 * Returns the connection to the embedded database of an environment.
 *
 * @throws Error if it does not run
 */
export async function findConnection({ dataDir }: Pick<Environment, 'dataDir'>): Promise<Connection> {
  const connection = await findRunningEmbedded(join(dataDir, 'postgres'));
  if (!connection) throw new Error('The product runs on no embedded database.');
  return connection;
}

/** Runs `work` with a single connection, without timeouts, to the portal's schema in a database. */
export async function withDatabase<Result>(
  connection: Connection,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase<object>({
    connection,
    schema: 'portal',
    name: 'bench',
    maxConnections: 1,
    hasNoTimeouts: true,
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
