import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, inject } from 'vitest';
import { type Connection, clientConfig, connectionFromUrl } from './connection.ts';
import { getErrorCode } from './database-error.ts';
import { startEmbedded } from './embedded/start-embedded.ts';
import { migrateSchemas, type SchemaSource } from './migrate/migrate.ts';

/** What the global set-up provides to every test file. */
export interface TestServer {
  readonly connection: Connection;
  /** The migrated database that each test database is a copy of. */
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    database: TestServer;
  }
}

const FOLDER_PREFIX = 'escucho-test-';

/**
 * Starts a PostgreSQL server for a test run: `TEST_DATABASE_URL` (a role that may create databases), else an embedded
 * one in a temporary folder.
 */
export async function startTestCluster(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { connection: connectionFromUrl(url), stop: async () => {} };
  await removeAbandoned();
  const dataDir = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  await chmod(dataDir, 0o711);
  const { connection, stop } = await startEmbedded({ dataDir, durable: false });
  return {
    connection,
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates the template database and migrates its schemas. */
export async function createTemplate(options: {
  readonly connection: Connection;
  readonly name: string;
  readonly schemas: readonly SchemaSource[];
}): Promise<TestServer> {
  const { connection, name, schemas } = options;
  await withAdmin(connection, (admin) => admin.query(`create database ${admin.escapeIdentifier(name)}`));
  await migrateSchemas({ connection: { ...connection, database: name }, schemas });
  return { connection, template: name };
}

/** Drops a template and the remaining copies of it. */
export async function dropTemplate({ connection, template }: TestServer): Promise<void> {
  await withAdmin(connection, async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [template],
    );
    for (const { name } of rows) await admin.query(dropStatement(admin, name));
  });
}

/**
 * Creates a migrated, empty database for a test file or a `describe`, dropped when that ends. Call it at the top.
 */
export async function createTestDatabase(): Promise<Connection> {
  const { connection, template } = inject('database');
  const name = `${template}_${randomBytes(4).toString('hex')}`;
  await withAdmin(connection, (admin) =>
    admin.query(
      `create database ${admin.escapeIdentifier(name)} template ${admin.escapeIdentifier(template)}`,
    ),
  );
  afterAll(() => withAdmin(connection, (admin) => admin.query(dropStatement(admin, name))).then(() => {}));
  return { ...connection, database: name };
}

/**
 * Opens a connection that compares the rows of schemas over time. Triggers count the rows that are written.
 * @returns `take`, which returns a hash of all rows. It reads them only where a row was written since the last call.
 */
export async function createDatabaseSnapshot(connection: Connection, schemas: readonly string[]) {
  const client = new Client(clientConfig(connection, 'test snapshot'));
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema = any ($1) and table_type = 'BASE TABLE' and table_name <> 'rate_limit'`,
    [schemas],
  );
  await client.query(`
    create sequence public.written_rows;
    create function public.count_written_row() returns trigger language plpgsql as
      'begin perform nextval(''public.written_rows''); return null; end';`);
  for (const { name } of rows) {
    await client.query(
      `create trigger count_written_row after insert or update or delete on ${name}
        for each row execute function public.count_written_row()`,
    );
  }
  const contents = rows.map(
    ({ name }) => `(select md5(string_agg(t::text, ',' order by t::text)) from ${name} t)`,
  );
  let last = { count: '', hash: '' };
  return {
    async take(): Promise<string> {
      const { rows: counts } = await client.query<{ count: string }>(
        'select concat(last_value, is_called) as count from public.written_rows',
      );
      const count = counts[0]?.count ?? '';
      if (count === last.count) return last.hash;
      const { rows: hashes } = await client.query<{ hash: string }>(
        `select md5(concat_ws('|', ${contents.join(', ')})) as hash`,
      );
      last = { count, hash: hashes[0]?.hash ?? '' };
      return last.hash;
    },
    close: () => client.end(),
  };
}

function dropStatement(admin: Client, name: string): string {
  return `drop database if exists ${admin.escapeIdentifier(name)} with (force)`;
}

async function withAdmin<Result>(
  connection: Connection,
  work: (admin: Client) => Promise<Result>,
): Promise<Result> {
  const admin = new Client(clientConfig(connection, 'tests'));
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** Stops the servers of test runs that were killed, and removes their folders. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.match(`^${FOLDER_PREFIX}(\\d+)-`)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const dataDir = join(tmpdir(), name);
    try {
      const { stop } = await startEmbedded({ dataDir, durable: false });
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    } catch {
      // Another run removes it, or it belongs to another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
}
