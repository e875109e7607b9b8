import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Connection, clientConfig } from '../connection.ts';
import { MIGRATION_LOCK } from '../migrate/migrate.ts';
import { END_OF_ROWS, formatHeader } from './format.ts';
import { readInventory, toCopySource } from './tables.ts';

export interface BackupOptions {
  readonly connection: Connection;
  /** A gzip file that only its owner may read: it contains all data, secrets included. */
  readonly file: string;
}

/**
 * Writes a consistent snapshot of all rows of all migrated schemas while the database stays in use. The file appears
 * under its name once it is complete.
 *
 * @returns the number of tables written
 */
export async function backup({ connection, file }: BackupOptions): Promise<{ tables: number }> {
  const client = new Client(clientConfig(connection, 'backup'));
  client.on('error', () => {});
  const partial = `${file}.partial`;
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query('select pg_advisory_xact_lock_shared($1, $2)', MIGRATION_LOCK);
    const inventory = await readInventory(client);
    const content = async function* () {
      yield formatHeader(inventory);
      for (const table of inventory.tables) {
        yield* client.query(copyTo(`copy ${toCopySource(table)} to stdout`));
        yield `${END_OF_ROWS}\n`;
      }
    };
    await pipeline(content, createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, file);
    return { tables: inventory.tables.length };
  } finally {
    await rm(partial, { force: true });
    await client.end();
  }
}
