import { type Client, escapeIdentifier } from 'pg';
import { appliedMigrations } from '../migrate/migrate.ts';
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

/** Takes stock of the schemas that were migrated; others in the same database are not ours. */
export async function inventory(client: Client): Promise<Inventory> {
  const schemas = await migratedSchemas(client);
  const migrations: Record<string, AppliedMigration[]> = {};
  for (const schema of schemas) migrations[schema] = await appliedMigrations(client, schema);
  const tables = await client.query<Table>(
    `select nspname as schema, relname as name,
       array(select attname::text from pg_attribute
             where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
             order by attname) as columns
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind = 'r' and relname <> 'migration' and nspname = any($1) order by 1, 2`,
    [schemas],
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

async function migratedSchemas(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(
    `select table_schema::text as schema from information_schema.columns
     where table_name = 'migration' and column_name in ('name', 'checksum', 'applied_at')
     group by 1 having count(*) = 3 order by 1`,
  );
  return rows.map(({ schema }) => schema);
}
