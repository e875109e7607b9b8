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
 * Opens a connection that compares the rows of schemas over time.
 * @returns `take`, which returns a hash of all rows. It reads them only where a transaction has written since the last call.
 */
export async function createDatabaseSnapshot(connection: Connection, schemas: readonly string[]) {
  const client = new Client(clientConfig(connection, 'test snapshot'));
  await client.connect();
  const { rows } = await client.query<{ contents: string }>(
    `select string_agg(format('(select md5(string_agg(t::text, '','' order by t::text)) from %I.%I t)',
        table_schema, table_name), ',') as contents
      from information_schema.tables
      where table_schema = any ($1) and table_type = 'BASE TABLE' and table_name <> 'rate_limit'`,
    [schemas],
  );
  const contents = rows[0]?.contents ?? '';
  let last = { transaction: '', hash: '' };
  return {
    async take(): Promise<string> {
      // Only transactions that write get an id.
      const { rows: ids } = await client.query<{ id: string }>(
        'select pg_snapshot_xmax(pg_current_snapshot())::text as id',
      );
      const transaction = ids[0]?.id ?? '';
      if (transaction === last.transaction) return last.hash;
      const { rows: hashes } = await client.query<{ hash: string }>(
        `select md5(concat_ws('|', ${contents})) as hash`,
      );
      last = { transaction, hash: hashes[0]?.hash ?? '' };
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
