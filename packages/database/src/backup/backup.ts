import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import { type Client, escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type Connection, withClient } from '../connection.ts';
import { DatabaseError, getErrorCode, getErrorMessage } from '../database-error.ts';
import { MIGRATION_LOCK } from '../migrate/migrate.ts';
import { encryptTo, openBackup } from './encryption.ts';
import {
  createDamagedError,
  END_OF_ROWS,
  formatHeader,
  type Inventory,
  parseHeader,
  type QualifiedName,
  quoteName,
  readInventory,
  readRows,
  splitLines,
  toCopySource,
} from './format.ts';

/** Receives how many bytes of how many were read. */
export type ReportProgress = (done: number, total: number) => void;

interface BackupOptions {
  readonly connection: Connection;
  /** A gzip file that only its owner may read: it contains all data, secrets included. */
  readonly file: string;
  /** Encrypts the file with age to these recipients (`age1…`); without any it is not encrypted. */
  readonly recipients?: readonly string[];
  readonly onProgress?: ReportProgress | undefined;
}

/** A new database, such as that of a mistyped directory, must not replace an earlier backup. */
function assertTables({ tables }: Inventory): void {
  if (tables.length > 0) return;
  throw new DatabaseError(
    'backup-empty',
    'The database has no tables, so there is nothing to back up. Check DATABASE_URL and DATA_DIR.',
  );
}

/** @throws DatabaseError `backup-empty` for a database without tables */
export const assertMigrated = (connection: Connection): Promise<void> =>
  withClient({ connection, name: 'backup' }, async (client) => assertTables(await readInventory(client)));

/**
 * Writes a consistent snapshot of all rows of all migrated schemas while the database stays in use. The file appears
 * under its name once it is complete.
 *
 * @returns the numbers of tables and rows written
 * @throws DatabaseError `backup-key` for a text that is not a recipient, `backup-empty` for a database without tables
 */
export async function backup({
  connection,
  file,
  recipients = [],
  onProgress,
}: BackupOptions): Promise<{ tables: number; rows: number }> {
  const encrypt = recipients.length > 0 ? await encryptTo(recipients) : undefined;
  // Two backups of one name, such as of a schedule, must not write into one file.
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  return withClient({ connection, name: 'backup' }, async (client) => {
    try {
      // Before the snapshot: in an older one, a table that a migration rewrites has no rows. The end of the session unlocks.
      await client.query('select pg_advisory_lock_shared($1, $2)', MIGRATION_LOCK);
      await client.query('begin isolation level repeatable read, read only');
      const inventory = await readInventory(client);
      assertTables(inventory);
      const sizes = await readSizes(client, inventory);
      const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
      let [rows, doneBytes] = [0, 0];
      const content = async function* () {
        yield formatHeader(inventory);
        for (const [index, table] of inventory.tables.entries()) {
          const size = sizes[index] ?? 0;
          const copied = client.query(copyTo(`copy ${toCopySource(table)} to stdout`));
          let copiedBytes = 0;
          for await (const chunk of copied) {
            // As text, rows may be larger than in the table.
            copiedBytes = Math.min(copiedBytes + chunk.length, size);
            onProgress?.(doneBytes + copiedBytes, totalBytes);
            yield chunk;
          }
          doneBytes += size;
          onProgress?.(doneBytes, totalBytes);
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

/** Returns the sizes of tables in bytes, in their order. */
async function readSizes(client: Client, { tables }: Inventory): Promise<number[]> {
  const { rows } = await client.query<{ size: number }>(
    `select pg_table_size(name::regclass)::float8 as size
     from unnest($1::text[]) with ordinality t (name, number) order by number`,
    [tables.map(quoteName)],
  );
  return rows.map(({ size }) => size);
}

interface RestoreOptions {
  readonly connection: Connection;
  readonly file: string;
  /** The keys that may decrypt an encrypted file (`AGE-SECRET-KEY-1…`). */
  readonly identities?: readonly string[];
  /** Deletes existing rows first; without it a database that has any is refused. */
  readonly replace?: boolean;
  readonly onProgress?: ReportProgress | undefined;
}

interface ForeignKey extends QualifiedName {
  readonly key: string;
  readonly definition: string;
}

/**
 * Restores a backup in one transaction into a database with the same migrations.
 *
 * @returns the numbers of tables and rows filled
 * @throws DatabaseError `backup-mismatch`, `backup-not-empty`, `backup-damaged`, `backup-key`
 */
export async function restore({
  connection,
  file,
  identities = [],
  replace = false,
  onProgress,
}: RestoreOptions): Promise<{ tables: number; rows: number }> {
  return withClient({ connection, name: 'restore' }, async (client) => {
    const lines = splitLines(readText(file, identities, onProgress));
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1, $2)', MIGRATION_LOCK);
      const inventory = parseHeader((await lines.next()).value ?? '');
      assertSameSchema(inventory, await readInventory(client));
      await setTriggers(client, inventory, 'disable');
      await emptyTables(client, inventory, replace);
      const rows = await fillTables(client, inventory, lines);
      await setTriggers(client, inventory, 'enable');
      // A gzip file is verified only once its end was read.
      if (!(await lines.next()).done) throw createDamagedError('it continues after its end');
      await client.query('commit');
      for (const table of inventory.tables) await client.query(`analyze ${quoteName(table)}`);
      return { tables: inventory.tables.length, rows };
    } catch (error) {
      throw getErrorCode(error)?.startsWith('Z_') ? createDamagedError(getErrorMessage(error), error) : error;
    } finally {
      await lines.return();
    }
  });
}

/**
 * Checks that a restore finds a migrated database without rows.
 *
 * @throws DatabaseError `backup-not-empty`
 */
export const assertEmpty = (connection: Connection): Promise<void> =>
  withClient({ connection, name: 'restore' }, async (client) => {
    for (const table of (await readInventory(client)).tables) {
      if (!(await isFilledByMigrations(client, table))) await assertTableEmpty(client, table);
    }
  });

/** Reads a gzip file as text, in chunks; it is opened with the first chunk. */
async function* readText(
  file: string,
  identities: readonly string[],
  onProgress: ReportProgress | undefined,
): AsyncGenerator<string, void> {
  const text = createGunzip();
  const { size } = await stat(file);
  let readBytes = 0;
  const source = await openBackup(file, identities);
  source.on('data', ({ length }: Buffer) => {
    readBytes += length;
    onProgress?.(readBytes, size);
  });
  // A failure is thrown by the iteration over the text.
  connect(source, text, () => {});
  yield* text.setEncoding('utf8');
}

function assertSameSchema(wanted: Inventory, found: Inventory): void {
  const same = isDeepStrictEqual(
    { migrations: wanted.migrations, tables: wanted.tables },
    { migrations: found.migrations, tables: found.tables },
  );
  if (same) return;
  throw new DatabaseError(
    'backup-mismatch',
    'The backup was taken with other migrations than this database has: restore with the version of this program ' +
      'that made the backup, then start the newer one, which migrates it.',
  );
}

/** Disables triggers while restoring: the backup holds their effects, and append-only tables must be replaceable. */
async function setTriggers(client: Client, { tables }: Inventory, to: 'enable' | 'disable'): Promise<void> {
  for (const table of tables) await client.query(`alter table ${quoteName(table)} ${to} trigger user`);
}

/** A comment on a table that migrations fill: its rows do not make a new database count as one in use. */
const FILLED_COMMENT = /filled by migrations/i;

async function isFilledByMigrations(client: Client, table: QualifiedName): Promise<boolean> {
  const { rows } = await client.query('select obj_description($1::regclass) as note', [quoteName(table)]);
  return FILLED_COMMENT.test(rows[0]?.note ?? '');
}

async function emptyTables(client: Client, { tables }: Inventory, replace: boolean): Promise<void> {
  if (replace && tables.length > 0) await client.query(`truncate ${tables.map(quoteName).join(', ')}`);
  for (const table of tables) {
    if (await isFilledByMigrations(client, table)) await client.query(`delete from ${quoteName(table)}`);
    else await assertTableEmpty(client, table);
  }
}

async function assertTableEmpty(client: Client, table: QualifiedName): Promise<void> {
  const { rowCount } = await client.query(`select from ${quoteName(table)} limit 1`);
  if (rowCount === 0) return;
  throw new DatabaseError(
    'backup-not-empty',
    `The table ${quoteName(table)} has rows already: restore into a new database, or replace them by --replace.`,
  );
}

/** Drops the foreign keys while the tables are filled, since tables may refer to each other. Returns the number of rows. */
async function fillTables(
  client: Client,
  { tables, sequences }: Inventory,
  lines: AsyncGenerator<string, void>,
): Promise<number> {
  let rows = 0;
  const keys = await findForeignKeys(client, tables);
  for (const key of keys) {
    await client.query(`alter table ${quoteName(key)} drop constraint ${escapeIdentifier(key.key)}`);
  }
  for (const table of tables) {
    await client.query(`set local search_path to ${escapeIdentifier(table.schema)}, public`);
    const filled = client.query(copyFrom(`copy ${toCopySource(table)} from stdin`));
    await pipeline(readRows(lines), filled);
    rows += filled.rowCount;
  }
  await client.query("set local search_path to ''");
  for (const key of keys) {
    await client.query(
      `alter table ${quoteName(key)} add constraint ${escapeIdentifier(key.key)} ${key.definition}`,
    );
  }
  for (const sequence of sequences) {
    if (sequence.last !== null)
      await client.query('select setval($1, $2)', [quoteName(sequence), sequence.last]);
  }
  return rows;
}

async function findForeignKeys(client: Client, tables: readonly QualifiedName[]): Promise<ForeignKey[]> {
  await client.query("set local search_path to ''");
  const { rows } = await client.query<ForeignKey>(
    `select nspname as schema, relname as name, conname as key, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = relnamespace
     where contype = 'f' and conparentid = 0 and nspname = any($1)`,
    [[...new Set(tables.map(({ schema }) => schema))]],
  );
  return rows;
}
