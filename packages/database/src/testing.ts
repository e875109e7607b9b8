import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Client, escapeIdentifier, type Pool } from 'pg';
import { inject, vi } from 'vitest';
import { type Connection, clientConfig, connectionFromUrl, withClient } from './connection.ts';
import { processExists } from './embedded/pid-file.ts';
import { startEmbedded } from './embedded/start-embedded.ts';
import { migrateSchemas, type SchemaSource } from './migrate/migrate.ts';
import { openPool } from './open-database.ts';
import { addCleanup, silentLog } from './testing/cleanup.ts';

export { addCleanup, createFolder, listenOnLoopback, silentLog } from './testing/cleanup.ts';
export { startWithStandby } from './testing/standby.ts';

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
  await withAdmin(connection, (admin) => admin.query(`create database ${escapeIdentifier(name)}`));
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
    for (const { name } of rows) await admin.query(dropStatement(name));
  });
}

/** The connection that creates and drops the test databases of this process. */
let adminPool: Pool | undefined;

/**
 * Creates a migrated, empty database, which is dropped at the end of the test, the `describe` or the file that creates it.
 */
export async function createTestDatabase(): Promise<Connection> {
  const { connection, template } = inject('database');
  const name = `${template}_${randomBytes(4).toString('hex')}`;
  adminPool ??= openPool({
    connection,
    schema: 'public',
    name: 'tests',
    maxConnections: 1,
    hasNoTimeouts: true,
    log: silentLog,
  });
  const admin = adminPool;
  const [copy, original] = [name, template].map(escapeIdentifier);
  // Copying files takes a fifth of the processor time of logging their pages, the default.
  await admin.query(`create database ${copy} template ${original} strategy file_copy`);
  addCleanup(async () => {
    try {
      await expectNoConnections(admin, name);
    } finally {
      await admin.query(dropStatement(name));
    }
  });
  return { ...connection, database: name };
}

/** Returns the `DATABASE_URL` of a connection without TLS. */
export function toDatabaseUrl({ host, port, user, password = '', database }: Connection): string {
  const url = new URL(`postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}`);
  url.searchParams.set('host', host);
  return url.href;
}

export interface WatchOptions {
  readonly schemas: readonly string[];
  /** Tables whose rows may change. */
  readonly ignoredTables?: readonly string[];
  /** SQL that is run before each look at the changes: it may change the ignored tables. */
  readonly reset?: string;
}

/**
 * Opens a connection that lists the rows that are changed. Triggers store each in a table, in the transaction that
 * changes it: what is rolled back, or updated to the same values, is not a change.
 * @returns `listChanges`, which returns the rows that were changed since the last call, each as operation, table and values
 */
export async function watchRows(
  connection: Connection,
  { schemas, ignoredTables = [], reset = '' }: WatchOptions,
) {
  const client = new Client(clientConfig(connection, 'test changes'));
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema = any ($1) and table_type = 'BASE TABLE' and table_name <> all ($2)`,
    [schemas, [...ignoredTables, 'rate_limit']],
  );
  await client.query(`
    create unlogged table public.changed_row (change text not null);
    create function public.store_change() returns trigger language plpgsql security definer as $$
      begin
        insert into public.changed_row values (
          concat_ws(' ', lower(tg_op), tg_table_schema || '.' || tg_table_name, left(coalesce(new, old)::text, 200)));
        return null;
      end $$;`);
  for (const { name } of rows) {
    await client.query(`
      create trigger store_change after insert or delete on ${name}
        for each row execute function public.store_change();
      create trigger store_changed_values after update on ${name}
        for each row when (old.* is distinct from new.*) execute function public.store_change();`);
  }
  return {
    async listChanges(): Promise<string[]> {
      // One round trip: with several statements, the result is a list.
      const results = [
        await client.query<{ change: string }>(`${reset}; delete from public.changed_row returning change`),
      ].flat();
      return results.at(-1)?.rows.map(({ change }) => change) ?? [];
    },
    close: () => client.end(),
  };
}

/**
 * Waits until nothing is connected to a database. What a test file does not close connects again and again, as long as
 * the process runs the tests of other files.
 *
 * @throws Error with the names of the connections that stay
 */
const expectNoConnections = (admin: Pool, database: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await admin.query<{ name: string }>(
        `select application_name as name from pg_stat_activity
          where datname = $1 and backend_type = 'client backend' order by name`,
        [database],
      );
      const names = rows.map(({ name }) => name);
      if (names.length > 0) throw new Error(`still open at the end: ${names.join(', ')}`);
    },
    { timeout: 30_000, interval: 20 },
  );

function dropStatement(name: string): string {
  return `drop database if exists ${escapeIdentifier(name)} with (force)`;
}

/** Runs `work` as the role that may create databases. */
const withAdmin = <Result>(connection: Connection, work: (admin: Client) => Promise<Result>) =>
  withClient({ connection, name: 'tests' }, work);

/** Stops the servers of test runs that were killed, and removes their folders. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.match(`^${FOLDER_PREFIX}(\\d+)-`)?.[1];
    if (pid === undefined || processExists(Number(pid))) continue;
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

/** Counts the transactions of a test's database that wait for a lock. */
export async function countLockWaiters(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Creates a promise with the function that resolves it, as `Promise.withResolvers` does, which Node.js 20 lacks. */
export function createDeferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
