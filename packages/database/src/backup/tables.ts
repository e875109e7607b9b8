import { type Client, escapeIdentifier } from 'pg';
import { findAppliedMigrations, MIGRATION_TABLES } from '../migrate/migrate.ts';
import type { AppliedMigration } from '../migrate/plan.ts';

export interface Qualified {
  readonly schema: string;
  readonly name: string;
}

/** A table with the columns that hold data of their own (generated ones are made anew), by name. */
export interface Table extends Qualified {
  readonly columns: readonly string[];
}

/** A sequence and the number it gave last; null before its first. */
export interface Sequence extends Qualified {
  readonly last: string | null;
}

/** Everything that a backup tells of a database before its rows. */
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
  for (const schema of await findSchemasWith(client, '_private_jobs')) {
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

export function qualified({ schema, name }: Qualified): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

/** A table and its columns as COPY takes them: one without columns of its own goes without their list. */
export function copySource(table: Table): string {
  if (table.columns.length === 0) return qualified(table);
  return `${qualified(table)} (${table.columns.map(escapeIdentifier).join(', ')})`;
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
