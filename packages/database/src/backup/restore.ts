import { createReadStream } from 'node:fs';
import { pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { Client, escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Connection, clientConfig } from '../connection.ts';
import { DatabaseError, getErrorCode, getErrorMessage } from '../database-error.ts';
import { MIGRATION_LOCK } from '../migrate/migrate.ts';
import { damaged, linesOf, parseHeader, rowsOf } from './format.ts';
import { copySource, type Inventory, type Qualified, qualified, readInventory } from './tables.ts';

export interface RestoreOptions {
  readonly connection: Connection;
  readonly file: string;
  /** Delete the rows that are there; without it a database that has any is left alone. */
  readonly replace?: boolean;
}

interface ForeignKey extends Qualified {
  readonly key: string;
  readonly definition: string;
}

/**
 * Fills a database that has the same migrations as the backup's, in one transaction: all of it or nothing.
 * @returns how many tables were filled
 * @throws DatabaseFault `backup-mismatch`, `backup-not-empty`, `backup-damaged`
 */
export async function restore({
  connection,
  file,
  replace = false,
}: RestoreOptions): Promise<{ tables: number }> {
  const client = new Client(clientConfig(connection, 'restore'));
  client.on('error', () => {});
  await client.connect();
  const lines = linesOf(textOf(file));
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', MIGRATION_LOCK);
    const stock = parseHeader((await lines.next()).value ?? '');
    checkSame(stock, await readInventory(client));
    await setTriggers(client, stock, 'disable');
    await makeEmpty(client, stock, replace);
    await fill(client, stock, lines);
    await setTriggers(client, stock, 'enable');
    // only at its end does a gzip file prove whole
    if (!(await lines.next()).done) throw damaged('it goes on behind its end');
    await client.query('commit');
    for (const table of stock.tables) await client.query(`analyze ${qualified(table)}`);
    return { tables: stock.tables.length };
  } catch (error) {
    throw getErrorCode(error)?.startsWith('Z_') ? damaged(getErrorMessage(error), error) : error;
  } finally {
    await lines.return();
    await client.end();
  }
}

/** What a gzip file holds, piece by piece; it is opened when the first is asked for. */
async function* textOf(file: string): AsyncGenerator<string, void> {
  const text = createGunzip();
  // whatever fails is thrown to who reads the text
  connect(createReadStream(file), text, () => {});
  yield* text.setEncoding('utf8');
}

function checkSame(wanted: Inventory, found: Inventory): void {
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

/** Triggers have had their effect on what comes back, and one that keeps a ledger final must let the whole of it be replaced. */
async function setTriggers(client: Client, { tables }: Inventory, to: 'enable' | 'disable'): Promise<void> {
  for (const table of tables) await client.query(`alter table ${qualified(table)} ${to} trigger user`);
}

/** Says of a table that migrations fill it: what it holds in a new database is no reason to leave that alone. */
const FILLED = 'filled by migrations';

async function isFilled(client: Client, table: Qualified): Promise<boolean> {
  const { rows } = await client.query('select obj_description($1::regclass) as note', [qualified(table)]);
  return rows[0]?.note === FILLED;
}

async function makeEmpty(client: Client, { tables }: Inventory, replace: boolean): Promise<void> {
  if (replace && tables.length > 0) await client.query(`truncate ${tables.map(qualified).join(', ')}`);
  for (const table of tables) {
    if (await isFilled(client, table)) await client.query(`delete from ${qualified(table)}`);
    const { rowCount } = await client.query(`select from ${qualified(table)} limit 1`);
    if (rowCount === 0) continue;
    throw new DatabaseError(
      'backup-not-empty',
      `The table ${qualified(table)} holds rows already: restore into a new database, or say that they may be replaced.`,
    );
  }
}

/** Foreign keys are taken off and put back, for tables may refer to each other. */
async function fill(client: Client, { tables, sequences }: Inventory, lines: AsyncGenerator<string, void>) {
  const keys = await foreignKeys(client, tables);
  for (const key of keys) {
    await client.query(`alter table ${qualified(key)} drop constraint ${escapeIdentifier(key.key)}`);
  }
  for (const table of tables) {
    await client.query(`set local search_path to ${escapeIdentifier(table.schema)}, public`);
    await pipeline(rowsOf(lines), client.query(copyFrom(`copy ${copySource(table)} from stdin`)));
  }
  await client.query("set local search_path to ''");
  for (const key of keys) {
    await client.query(
      `alter table ${qualified(key)} add constraint ${escapeIdentifier(key.key)} ${key.definition}`,
    );
  }
  for (const sequence of sequences) {
    if (sequence.last !== null)
      await client.query('select setval($1, $2)', [qualified(sequence), sequence.last]);
  }
}

async function foreignKeys(client: Client, tables: readonly Qualified[]): Promise<ForeignKey[]> {
  await client.query("set local search_path to ''");
  const { rows } = await client.query<ForeignKey>(
    `select nspname as schema, relname as name, conname as key, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = relnamespace
     where contype = 'f' and conparentid = 0 and nspname = any($1)`,
    [[...new Set(tables.map(({ schema }) => schema))]],
  );
  return rows;
}
