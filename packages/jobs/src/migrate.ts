import { type Connection, clientConfig } from '@escucho/database';
import { Logger, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';
import type { JobQueue } from './queue.ts';

/** Creates or updates the tables of a service's job queue. Any number of processes may do so at the same time. */
export async function migrateJobQueue(connection: Connection, queue: JobQueue): Promise<void> {
  const pool = new Pool({ ...clientConfig(connection, `migrate ${queue.schema}`), max: 2 });
  try {
    await runMigrations({ pgPool: pool, schema: queue.schema, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}
