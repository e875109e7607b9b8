import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import { type Client, DatabaseError as PostgresError } from 'pg';
import { type Connection, withClient } from '../connection.ts';
import { DatabaseError, getErrorCode, getErrorMessage } from '../database-error.ts';
import { assertSchemaName, type Log, stderrLog } from '../open-database.ts';
import { type AppliedMigration, assertUnchanged, type MigrationFile, toMigrationFiles } from './plan.ts';

/** A schema and the migrations that fill it; unqualified names in them refer to it. */
export interface SchemaSource {
  readonly schema: string;
  /** The folder of `0001_name.sql` files. */
  readonly directory: string;
}

/** One advisory lock for all schemas of a database; its holder may change their tables. */
export const MIGRATION_LOCK = [1_163_084_627, 2];

/** The tables in which Kysely's migrator and the checksum guard record what was applied. */
export const MIGRATION_TABLES = ['migration', 'migration_lock', 'migration_checksum'];

const EXTENSIONS = ['pg_trgm', 'unaccent'];

/** PostgreSQL's code for a missing table, also in a missing schema. */
const UNDEFINED_TABLE = '42P01';

/**
 * Applies the pending migrations of all schemas in one transaction, by Kysely's migrator: if one fails, the database
 * remains as it was, and the earlier version of the program still runs with it. Any number of processes may do so at the
 * same time. A checksum guards each applied file against later changes.
 *
 * @returns the names of the migrations it applied
 * @throws DatabaseError `migration-…` naming the file, `extension-missing`
 */
export async function migrateSchemas({
  connection,
  schemas,
  log = stderrLog,
}: {
  readonly connection: Connection;
  readonly schemas: readonly SchemaSource[];
  readonly log?: Log;
}): Promise<string[]> {
  const sources = await Promise.all(
    schemas.map(async ({ schema, directory }) => ({
      schema: assertSchemaName(schema),
      files: await readMigrations(directory),
    })),
  );
  return withClient({ connection, name: 'migrate' }, async (client) => {
    if (await isUpToDate(client, sources)) return [];
    await client.query('select pg_advisory_lock($1, $2)', MIGRATION_LOCK);
    await client.query('begin');
    const applied: { schema: string; migration: string }[] = [];
    for (const source of sources) {
      for (const migration of await migrateSchema(client, source))
        applied.push({ schema: source.schema, migration });
    }
    await client.query('commit');
    for (const details of applied) log.info(details, 'migration applied');
    return applied.map(({ migration }) => migration);
  });
}

interface MigrationSource {
  readonly schema: string;
  readonly files: readonly MigrationFile[];
}

/** Returns whether all migrations were applied. Most starts need no more than this one query. */
async function isUpToDate(client: Client, sources: readonly MigrationSource[]): Promise<boolean> {
  const selects = sources.map(
    ({ schema }) => `select '${schema}' as schema, name, checksum from ${schema}.migration_checksum`,
  );
  const result = await client
    .query<AppliedMigration & { schema: string }>(selects.join(' union all '))
    .catch((error: unknown) => {
      if (getErrorCode(error) === UNDEFINED_TABLE) return undefined;
      throw error;
    });
  if (!result) return false;
  return sources.every(({ schema, files }) => {
    const applied = result.rows.filter((row) => row.schema === schema);
    assertUnchanged(files, applied);
    return applied.length === files.length;
  });
}

/** Applies the pending migrations of one schema in the transaction of a client. Returns their names. */
async function migrateSchema(client: Client, { schema, files }: MigrationSource): Promise<string[]> {
  await prepareSchema(client, schema);
  assertUnchanged(files, await findAppliedMigrations(client, schema));
  await client.query(`set local search_path to ${schema}, public`);
  const migrator = new Migrator({
    db: openClient(client),
    migrationTableSchema: schema,
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
    // The transaction of the client covers all schemas.
    disableTransactions: true,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(files.map((file) => [file.name, toKyselyMigration(file)])),
    },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (!error) return results.map(({ migrationName }) => migrationName);
  const failed = results.find(({ status }) => status === 'Error');
  throw failed ? toDatabaseError(files, failed.migrationName, error) : error;
}

/** Opens a query builder on one client, which it does not close. */
function openClient(client: Client): Kysely<ChecksumTables> {
  const pool = { connect: async () => Object.assign(client, { release() {} }), end: async () => {} };
  return new Kysely<ChecksumTables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Returns the migrations applied to a schema, with the checksums of their files, oldest first. Empty where the schema
 * was never migrated.
 */
export async function findAppliedMigrations(client: Client, schema: string): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select name, checksum from ${assertSchemaName(schema)}.migration_checksum order by name collate "C"`,
  );
  return rows;
}

interface ChecksumTables {
  migration_checksum: { name: string; checksum: string };
}

async function readMigrations(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql'));
  return toMigrationFiles(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const),
    ),
  );
}

/** Names the migration in the server's log; a leading comment also keeps several statements from being prepared as one. */
const toSql = ({ name, text }: MigrationFile) => `/* ${name} */ ${text}`;

function toKyselyMigration(file: MigrationFile): Migration {
  const { name, checksum } = file;
  return {
    async up(db: Kysely<ChecksumTables>) {
      const transactionBefore = await currentTransaction(db);
      await sql`savepoint before_migration`.execute(db);
      try {
        await sql.raw(toSql(file)).execute(db);
      } catch (error) {
        // The migrator still has statements of its own.
        await sql`rollback to savepoint before_migration`.execute(db);
        throw error;
      }
      if ((await currentTransaction(db)) !== transactionBefore) {
        throw new Error('it ends its transaction itself, and must not');
      }
      await db.insertInto('migration_checksum').values({ name, checksum }).execute();
    },
  };
}

async function currentTransaction(db: Kysely<ChecksumTables>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db);
  return rows[0]?.id;
}

/** Looks before it creates: a remote role may use what is there without the right to create it. */
async function prepareSchema(client: Client, schema: string): Promise<void> {
  for (const extension of EXTENSIONS) {
    const found = await client.query('select from pg_extension where extname = $1', [extension]);
    if (found.rowCount === 0) await createExtension(client, extension);
  }
  const found = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (found.rowCount === 0) await client.query(`create schema ${schema}`);
  await client.query(
    `create table if not exists ${schema}.migration_checksum (name text primary key, checksum text not null)`,
  );
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

function toDatabaseError(files: readonly MigrationFile[], name: string, cause: unknown): DatabaseError {
  const file = files.find((each) => each.name === name);
  const line =
    file && cause instanceof PostgresError && cause.position
      ? ` line ${lineAt(toSql(file), Number(cause.position))}`
      : '';
  const message = `Migration ${name}${line}: ${getErrorMessage(cause)}. Nothing was changed: the earlier version still runs with this database.`;
  return new DatabaseError('migration-failed', message, { cause });
}

/** Returns the line, from 1, of a character position as PostgreSQL counts it. */
function lineAt(text: string, position: number): number {
  return [...text].slice(0, position - 1).filter((character) => character === '\n').length + 1;
}
