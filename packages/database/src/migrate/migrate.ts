import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, DatabaseError as PostgresError } from 'pg';
import { type Connection, clientConfig } from '../connection.ts';
import { DatabaseError, getErrorCode, getErrorMessage } from '../database-error.ts';
import { type Log, stderrLog } from '../log.ts';
import { checkedSchema } from '../schema-name.ts';
import {
  type AppliedMigration,
  type MigrationFile,
  migrationFile,
  migrationNames,
  pendingMigrations,
} from './plan.ts';

export interface MigrateOptions {
  readonly connection: Connection;
  /** The schema that the migrations fill; unqualified names in them mean it. */
  readonly schema: string;
  /** The folder of `0001-name.sql` files. */
  readonly directory: string;
  readonly log?: Log;
}

/** One advisory lock for all schemas of a database: who holds it may change their tables. */
export const MIGRATION_LOCK = [1_163_084_627, 2];

const EXTENSIONS = ['pg_trgm', 'unaccent'];

/**
 * Brings a schema up to date, one transaction per file. Any number of processes may do so at once.
 * @returns the names of the files it applied
 * @throws DatabaseFault `migration-…` naming the file, `extension-missing`
 */
export async function migrate({
  connection,
  schema,
  directory,
  log = stderrLog,
}: MigrateOptions): Promise<string[]> {
  checkedSchema(schema);
  const names = migrationNames(await readdir(directory));
  const files = await Promise.all(
    names.map(async (name) => migrationFile(name, await readFile(join(directory, name), 'utf8'))),
  );
  const client = new Client({
    ...clientConfig(connection, `migrate ${schema}`),
    options: `-c search_path=${schema},public`,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1, $2)', MIGRATION_LOCK);
    await prepare(client, schema);
    const pending = pendingMigrations(files, await appliedMigrations(client, schema));
    for (const file of pending) {
      await apply(client, schema, file);
      log.info({ schema, migration: file.name }, 'Migration applied');
    }
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** What a schema has behind it, oldest first. */
export async function appliedMigrations(client: Client, schema: string): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select name, checksum from ${checkedSchema(schema)}.migration order by name collate "C"`,
  );
  return rows;
}

/** Looks before it creates: a remote role may use what is there without the right to create it. */
async function prepare(client: Client, schema: string): Promise<void> {
  for (const extension of EXTENSIONS) {
    const found = await client.query('select from pg_extension where extname = $1', [extension]);
    if (found.rowCount === 0) await createExtension(client, extension);
  }
  const found = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (found.rowCount === 0) await client.query(`create schema ${schema}`);
  const table = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    `${schema}.migration`,
  ]);
  if (!table.rows[0]?.exists) {
    await client.query(
      `create table ${schema}.migration (
         name text primary key,
         checksum text not null,
         applied_at timestamptz not null default now()
       )`,
    );
  }
}

async function createExtension(client: Client, extension: string): Promise<void> {
  try {
    await client.query(`create extension ${extension} with schema public`);
  } catch (error) {
    throw new DatabaseError(
      'extension-missing',
      `The database lacks the extension ${extension}, and this role may not create it (${getErrorCode(error)}): ` +
        `have its administrator run "create extension ${extension} with schema public".`,
      { cause: error },
    );
  }
}

async function apply(client: Client, schema: string, { name, sql, checksum }: MigrationFile): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    if (client.getTransactionStatus() !== 'T')
      throw new Error('it ends its transaction itself, and must not');
    await client.query(`insert into ${schema}.migration (name, checksum) values ($1, $2)`, [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const where =
      error instanceof PostgresError && error.position ? ` line ${lineAt(sql, Number(error.position))}` : '';
    throw new DatabaseError('migration-failed', `Migration ${name}${where}: ${getErrorMessage(error)}`, {
      cause: error,
    });
  }
}

/** The line, from 1, of a character position as PostgreSQL counts it. */
function lineAt(sql: string, position: number): number {
  return [...sql].slice(0, position - 1).filter((character) => character === '\n').length + 1;
}
