import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { type Connection, withClient } from '../connection.ts';
import { MIGRATION_LOCK } from '../migrate/migrate.ts';
import { encryptTo } from './encryption.ts';
import { END_OF_ROWS, formatHeader } from './format.ts';
import { readInventory, toCopySource } from './tables.ts';

interface BackupOptions {
  readonly connection: Connection;
  /** A gzip file that only its owner may read: it contains all data, secrets included. */
  readonly file: string;
  /** Encrypts the file with age to these recipients (`age1…`); without any it is not encrypted. */
  readonly recipients?: readonly string[];
}

/**
 * Writes a consistent snapshot of all rows of all migrated schemas while the database stays in use. The file appears
 * under its name once it is complete.
 *
 * @returns the numbers of tables and rows written
 * @throws DatabaseError `backup-key` for a text that is not a recipient
 */
export async function backup({
  connection,
  file,
  recipients = [],
}: BackupOptions): Promise<{ tables: number; rows: number }> {
  const encrypt = recipients.length > 0 ? await encryptTo(recipients) : undefined;
  const partial = `${file}.partial`;
  return withClient({ connection, name: 'backup' }, async (client) => {
    try {
      // Before the snapshot: in an older one, a table that a migration rewrites has no rows. The end of the session unlocks.
      await client.query('select pg_advisory_lock_shared($1, $2)', MIGRATION_LOCK);
      await client.query('begin isolation level repeatable read, read only');
      const inventory = await readInventory(client);
      let rows = 0;
      const content = async function* () {
        yield formatHeader(inventory);
        for (const table of inventory.tables) {
          const copied = client.query(copyTo(`copy ${toCopySource(table)} to stdout`));
          yield* copied;
          rows += copied.rowCount;
          yield `${END_OF_ROWS}\n`;
        }
      };
      const output = createWriteStream(partial, { mode: 0o600, flush: true });
      if (encrypt) await pipeline(content, createGzip(), encrypt, output);
      else await pipeline(content, createGzip(), output);
      await rename(partial, file);
      return { tables: inventory.tables.length, rows };
    } finally {
      await rm(partial, { force: true });
    }
  });
}
