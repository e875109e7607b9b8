import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import { findServiceAccount, isRoot, spawnOptions } from './embedded/account.ts';
import { endProcess } from './embedded/testing/helpers.ts';
import { listen } from './keep-connected.ts';
import { openDatabase } from './open-database.ts';
import { createFolder, createTestDatabase, silentLog } from './testing.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const direct = await createTestDatabase();

/** Starts PgBouncer in session mode with one connection to the test database. It refuses to run as root. */
async function startPooler(): Promise<Connection> {
  const folder = await createFolder();
  const account = isRoot() ? await findServiceAccount() : undefined;
  if (account) await chown(folder, account.uid, account.gid);
  const { host, port, user, database, password = '' } = direct;
  const config = join(folder, 'pgbouncer.ini');
  const target = `host=${host} port=${port} user=${user}${password && ` password=${password}`}`;
  const settings = ['auth_type = any', 'pool_mode = session', 'default_pool_size = 1', 'listen_port = 6432'];
  await writeFile(
    config,
    [
      `[databases]`,
      `${database} = ${target}`,
      `[pgbouncer]`,
      `unix_socket_dir = ${folder}`,
      ...settings,
    ].join('\n'),
  );
  const child = spawn(PGBOUNCER, [config], { ...spawnOptions(account), stdio: ['ignore', 'ignore', 'pipe'] });
  afterAll(() => endProcess(child, 'SIGKILL'));
  let log = '';
  for await (const chunk of child.stderr ?? []) {
    log += chunk;
    if (log.includes('process up')) break;
  }
  return { host: folder, port: 6432, user, database };
}

/** Listens to a channel; `ready` and `message` resolve with their first event. */
function startListener(connection: Connection) {
  const events = new EventEmitter<{ message: [string]; ready: [] }>();
  const { close } = listen({
    connection,
    channel: 'pooled',
    name: 'pooler test',
    log: silentLog,
    onMessage: (payload) => events.emit('message', payload),
    onReady: () => events.emit('ready'),
  });
  return { close, message: once(events, 'message'), ready: once(events, 'ready') };
}

const open = (connection: Connection) =>
  openDatabase<object>({ connection, schema: 'pooled', name: 'pooler test', log: silentLog });

it('listens on the direct address while the other one is unreachable', async () => {
  const { close, message, ready } = startListener({ ...direct, host: '127.0.0.1', port: 1, direct });
  await ready;
  const db = open(direct);
  await sql`select pg_notify('pooled', 'hello')`.execute(db);
  expect(await message).toEqual(['hello']);
  await Promise.all([close(), db.destroy()]);
});

describe.runIf(existsSync(PGBOUNCER))('behind PgBouncer in session mode', () => {
  let pooler: Connection;
  beforeAll(async () => {
    pooler = await startPooler();
  });

  it('applies the schema and the timeouts to every connection', async () => {
    const db = open(pooler);
    expect((await sql`show search_path`.execute(db)).rows).toEqual([{ search_path: 'pooled,public' }]);
    expect((await sql`show statement_timeout`.execute(db)).rows).toEqual([{ statement_timeout: '15s' }]);
    await db.destroy();
  });

  it('listens past the pooler, whose only connection stays free for queries', async () => {
    const connection = { ...pooler, direct };
    const { close, message, ready } = startListener(connection);
    await ready;
    const db = open(connection);
    await sql`select pg_notify('pooled', 'hello')`.execute(db);
    expect(await message).toEqual(['hello']);
    await Promise.all([close(), db.destroy()]);
  });

  it('listens through the pooler where there is no direct address', async () => {
    const { close, message, ready } = startListener(pooler);
    await ready;
    const db = open(direct);
    await sql`select pg_notify('pooled', 'hello')`.execute(db);
    expect(await message).toEqual(['hello']);
    await Promise.all([close(), db.destroy()]);
  });
});
