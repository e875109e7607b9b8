import { type Client, escapeIdentifier } from 'pg';
import { type Connection, withClient } from '../connection.ts';
import { DatabaseError } from '../database-error.ts';
import { findAppliedMigrations, MIGRATION_TABLES } from '../migrate/migrate.ts';
import type { AppliedMigration } from '../migrate/plan.ts';

export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** A table with its columns by name, generated ones excluded. */
interface Table extends QualifiedName {
  readonly columns: readonly string[];
}

/** A sequence and its last value; null before the first. */
interface Sequence extends QualifiedName {
  readonly last: string | null;
}

/** The header of a backup: the migrations, tables and sequences of a database. */
export interface Inventory {
  readonly migrations: Readonly<Record<string, readonly AppliedMigration[]>>;
  readonly tables: readonly Table[];
  readonly sequences: readonly Sequence[];
}

/** Reads the inventory of the schemas that services and their job queues use; others in the database are not ours. */
export async function readInventory(client: Client): Promise<Inventory> {
  const migrations: Record<string, AppliedMigration[]> = {};
  for (const schema of await findSchemasWith(client, 'migration_checksum')) {
    migrations[schema] = await findAppliedMigrations(client, schema);
  }
  const services = Object.keys(migrations);
  for (const schema of await findSchemasWith(client, '_private_jobs')) {
    if (services.some((service) => schema === `${service}_jobs`))
      migrations[schema] = await findJobQueueMigrations(client, schema);
  }
  const schemas = Object.keys(migrations);
  const tables = await client.query<Table>(
    `select nspname as schema, relname as name,
       array(select attname::text from pg_attribute
             where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
             order by attname) as columns
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind = 'r' and relname <> all($2) and nspname = any($1) order by 1, 2`,
    [schemas, [...MIGRATION_TABLES, JOB_QUEUE_MIGRATION_TABLE]],
  );
  const sequences = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as last
     from pg_sequences where schemaname = any($1) order by 1, 2`,
    [schemas],
  );
  return { migrations, tables: tables.rows, sequences: sequences.rows };
}

/** Returns a table name as a quoted SQL identifier with its schema. */
export function quoteName({ schema, name }: QualifiedName): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

/** Returns a table and its columns in the syntax of COPY; a table without columns has no list. */
export function toCopySource(table: Table): string {
  if (table.columns.length === 0) return quoteName(table);
  return `${quoteName(table)} (${table.columns.map(escapeIdentifier).join(', ')})`;
}

const JOB_QUEUE_MIGRATION_TABLE = 'migrations';

async function findSchemasWith(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(
    'select table_schema::text as schema from information_schema.tables where table_name = $1 order by 1',
    [table],
  );
  return rows.map(({ schema }) => schema);
}

async function findJobQueueMigrations(client: Client, schema: string): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select id::text as name, '' as checksum from ${escapeIdentifier(schema)}.${JOB_QUEUE_MIGRATION_TABLE} order by id`,
  );
  return rows;
}

/** The number of rows of a table and a checksum of them that does not depend on their order; both as decimal text. */
interface TableChecksum {
  readonly rows: string;
  readonly checksum: string;
}

/** How values are written as text, which the checksums are made of. */
const TEXT_SETTINGS = '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex';

/** Returns the checksums of all tables of the services, by their quoted names, in one snapshot. */
export const readChecksums = (connection: Connection): Promise<Record<string, TableChecksum>> =>
  withClient({ connection, name: 'checksums', options: TEXT_SETTINGS }, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    const checksums: Record<string, TableChecksum> = {};
    for (const table of (await readInventory(client)).tables) {
      const name = quoteName(table);
      const { rows } = await client.query<TableChecksum>(
        `select count(*)::text as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as checksum
         from only ${name} t`,
      );
      if (rows[0]) checksums[name] = rows[0];
    }
    return checksums;
  });

/**
 * Ends the rows of a table. A backup is gzipped text: a header line, then for each table of the header the rows as
 * PostgreSQL's COPY writes them, one per line, and this line, which no row can equal.
 */
export const END_OF_ROWS = '\\.';

const MARK = 'escucho backup 1 ';

/** Returns the first line of a backup. */
export function formatHeader(inventory: Inventory): string {
  return `${MARK}${JSON.stringify(inventory)}\n`;
}

/** @throws DatabaseError `backup-damaged` */
export function parseHeader(line: string): Inventory {
  if (!line.startsWith(MARK)) throw createDamagedError('it does not begin as a backup does');
  try {
    return JSON.parse(line.slice(MARK.length));
  } catch (cause) {
    throw createDamagedError('its first line is broken', cause);
  }
}

/** Splits a text that arrives in chunks into lines. Only \n ends a line. */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * Reads the rows of one table, in chunks of a size that suits COPY.
 *
 * @throws DatabaseError `backup-damaged`
 */
export async function* readRows(lines: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  let chunk = '';
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw createDamagedError('it ends too early');
    if (value === END_OF_ROWS) break;
    chunk += `${value}\n`;
    if (chunk.length > 65_536) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

/** Creates the error `backup-damaged`, which names the problem. */
export function createDamagedError(problem: string, cause?: unknown): DatabaseError {
  return new DatabaseError('backup-damaged', `The backup cannot be read: ${problem}.`, { cause });
}
