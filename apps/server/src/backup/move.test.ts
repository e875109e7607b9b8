import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Connection, isReadOnly, openDatabase, readChecksums, setReadOnly } from '@escucho/database';
import { createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { executeCommand } from '../cli/command.ts';
import { moveCommands } from '../cli/move.ts';
import { prepareDemoAccounts } from '../demo-accounts.ts';
import { readSettings } from '../settings.ts';
import type { Storage } from '../storage.ts';
import { prepareProduct, signInByPassword } from '../testing/product.ts';

const env = { IDENTITY_ALLOW: 'USER_PASSWORD_AUTH', DEMO: 'true' };
const sound = 'sound';
const hash = createHash('sha256').update(sound).digest('hex');
const mediaKey = `${hash.slice(0, 2)}/${hash.slice(2)}.mp3`;
const product = await prepareProduct();
const { app, settings } = await product.build(env);
const target = await createTestDatabase();
const newMedia = join(product.directory, 'new media');

const toStorage = (connection: Connection): Storage => ({ connection, notes: [], stop: async () => {} });

/** Runs `npm run db -- NAME` for the product's database. */
const run = (
  name: string,
  connection: Connection,
  newEnv: NodeJS.ProcessEnv = {},
  storage = toStorage(connection),
  args: readonly string[] = [],
) =>
  moveCommands[name]?.({
    args: [...args],
    env: newEnv,
    settings: readSettings({
      DATABASE_URL: toDatabaseUrl(connection),
      DATA_DIR: product.dataDir,
      MEDIA_STORE: `file:${product.directory}/media`,
      ...newEnv,
    }),
    storage,
  });

/** Opens one connection. */
const openSession = (connection: Connection) =>
  openDatabase<object>({ connection, schema: 'portal', name: 'move test', maxConnections: 1 });

async function query(connection: Connection, text: string) {
  const db = openSession(connection);
  const { rows } = await sql.raw(text).execute(db);
  await db.destroy();
  return rows;
}

const headers = { authorization: '' };
beforeAll(async () => {
  await prepareDemoAccounts(product.connection, product.instance, settings);
  const { AccessToken } = await signInByPassword(app, product.instance.clientId, 'demo@escucho.test');
  headers.authorization = `Bearer ${AccessToken}`;
  await query(product.connection, `insert into portal.narrator (name) values ('Ada'), ('Bo')`);
});

const readSettingsOf = (subject = app) => subject.inject({ url: '/api/settings', headers });
const changeSettings = (speed: number, subject = app) =>
  subject.inject({ method: 'PUT', url: '/api/settings', headers, payload: { speed } });

describe('npm run db -- move', () => {
  it('refuses a database with rows or the one in use, which stays writable', async () => {
    const used = await createTestDatabase();
    await query(used, `insert into portal.narrator (name) values ('Eve')`);
    const session = openSession(product.connection);
    const before = await sql`select pg_backend_pid()`.execute(session);
    await expect(
      run('move', product.connection, { NEW_DATABASE_URL: toDatabaseUrl(used) }),
    ).rejects.toMatchObject({
      code: 'backup-not-empty',
    });
    const own = toDatabaseUrl(product.connection);
    const moveToItself = run('move', product.connection, { NEW_DATABASE_URL: own });
    await expect(moveToItself).rejects.toMatchObject({ code: 'same-database' });
    await expect(run('move', product.connection)).rejects.toThrow('Set NEW_DATABASE_URL');
    const file = join(product.directory, 'database-url');
    await writeFile(file, own);
    const commandLine = { name: 'db', commands: moveCommands, help: '' };
    const fileEnv = { DATABASE_URL: own, NEW_DATABASE_URL_FILE: file };
    const { error } = await executeCommand(commandLine, ['move'], fileEnv);
    expect(error).toBe('The new database is the one in use.');
    expect((await changeSettings(1.2)).statusCode).toBe(200);
    expect(await sql`select pg_backend_pid()`.execute(session)).toEqual(before);
    await session.destroy();
  });

  it.each([
    [
      'is unreachable',
      'postgres://escucho@127.0.0.1:1/escucho',
      /127\.0\.0\.1:1 cannot be reached.*NEW_DATABASE_URL/,
    ],
    [
      'leads nowhere',
      toDatabaseUrl({ ...product.connection, database: 'nowhere' }),
      /refuses: database "nowhere".*NEW_DATABASE_URL/,
    ],
  ])('names a NEW_DATABASE_URL that %s, and copies no media', async (_, url, message) => {
    const newMedia = join(product.directory, 'media of no database');
    const env = { NEW_DATABASE_URL: url, NEW_MEDIA_STORE: `file:${newMedia}` };
    await expect(run('move', product.connection, env)).rejects.toThrow(message);
    expect(existsSync(newMedia)).toBe(false);
  });

  it('leaves the sessions that its role may not end', async () => {
    const owned = await createTestDatabase();
    const session = openSession(owned);
    const execute = (text: string) => sql.raw(text).execute(session);
    const name = `mover_${owned.database}`;
    await execute(`create role ${name} login password 'mover' in role pg_monitor`);
    await execute(`alter database ${owned.database} owner to ${name}`);
    const mover = { ...owned, user: name, password: 'mover' };
    await setReadOnly(mover, true);
    expect(await isReadOnly(mover)).toBe(true);
    await setReadOnly(mover, false);
    expect(await isReadOnly(mover)).toBe(false);
    await execute(`alter database ${owned.database} owner to current_user; drop role ${name}`);
    await session.destroy();
  });

  it('moves rows and media with their checksums, and leaves the old database read-only', async () => {
    const damagedKey = `ab/${'c'.repeat(62)}.mp3`;
    await product.mediaStore.put(damagedKey, Readable.from([sound]));
    await product.mediaStore.put(mediaKey, Readable.from([sound]));
    const env = { NEW_DATABASE_URL: toDatabaseUrl(target), NEW_MEDIA_STORE: `file:${newMedia}` };
    // The key is the hash of another content.
    expect(await run('move', product.connection, env)).toMatchObject({ failed: true });
    expect(await query(target, 'select name from portal.narrator')).toEqual([]);

    await product.mediaStore.remove(damagedKey);
    const own = toDatabaseUrl(product.connection);
    const addresses = { DATABASE_DIRECT_URL: own, DATABASE_READ_URL: own };
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const result = await run('move', product.connection, { ...env, ...addresses });
    expect(write.mock.calls.flat().join('')).toMatch(/^The database is read-only\..*$/m);
    write.mockRestore();
    expect(result).toMatchObject({ failed: false, text: expect.stringContaining('all checksums agree') });
    for (const name of Object.keys(addresses))
      expect(result).toMatchObject({ text: expect.stringContaining(`${name} leads to the old database`) });
    expect(await readChecksums(target)).toEqual(await readChecksums(product.connection));
    expect(await query(target, 'select name from portal.narrator order by 1')).toEqual([
      { name: 'Ada' },
      { name: 'Bo' },
    ]);
    expect(await readFile(join(newMedia, mediaKey), 'utf8')).toBe(sound);
  });

  it('refuses to repeat a move, and the old database stays read-only', async () => {
    const repeated = run('move', product.connection, { NEW_DATABASE_URL: toDatabaseUrl(target) });
    await expect(repeated).rejects.toMatchObject({ code: 'backup-not-empty' });
    expect((await changeSettings(1.5)).statusCode).toBe(503);
  });

  it('that fails leaves a database read-only that was so before', async () => {
    const other = await createTestDatabase();
    await query(other, 'drop table portal.narrator cascade');
    const failing = run('move', product.connection, { NEW_DATABASE_URL: toDatabaseUrl(other) });
    await expect(failing).rejects.toMatchObject({ code: 'backup-mismatch' });
    expect(await isReadOnly(product.connection)).toBe(true);
  });

  it('meanwhile reads are answered, and writes get 503 with the time to try again', async () => {
    expect((await readSettingsOf()).statusCode).toBe(200);
    const refused = await changeSettings(1.5);
    expect(refused.statusCode).toBe(503);
    expect(refused.json().error.code).toBe('unavailable');
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('--replace moves back to the former database, which is read-only', async () => {
    const [first, second] = [await createTestDatabase(), await createTestDatabase()];
    const move = (from: Connection, to: Connection, ...args: string[]) =>
      run('move', from, { NEW_DATABASE_URL: toDatabaseUrl(to) }, toStorage(from), args);
    await query(first, `insert into portal.narrator (name) values ('Ada')`);
    await move(first, second);
    await query(second, `insert into portal.narrator (name) values ('Bo')`);
    await expect(move(second, first)).rejects.toMatchObject({ code: 'backup-not-empty' });
    expect(await isReadOnly(first)).toBe(true);
    await move(second, first, '--replace');
    expect(await readChecksums(first)).toEqual(await readChecksums(second));
    expect(await isReadOnly(first)).toBe(false);
    expect(await isReadOnly(second)).toBe(true);

    await query(first, 'drop table portal.narrator cascade');
    await expect(move(first, second, '--replace')).rejects.toMatchObject({ code: 'backup-mismatch' });
    expect(await isReadOnly(first)).toBe(false);
    expect(await isReadOnly(second)).toBe(true);
  });

  it('--replace deletes nothing where both addresses lead to one read-only database', async () => {
    const used = await createTestDatabase();
    await query(used, `insert into portal.narrator (name) values ('Ada')`);
    await setReadOnly(used, true);
    // The same directory by another path.
    const env = { NEW_DATABASE_URL: toDatabaseUrl({ ...used, host: `${used.host}/.` }) };
    const moveToItself = run('move', used, env, toStorage(used), ['--replace']);
    await expect(moveToItself).rejects.toMatchObject({ code: '25006' });
    expect(await query(used, 'select name from portal.narrator')).toEqual([{ name: 'Ada' }]);
    expect(await isReadOnly(used)).toBe(true);
  });

  it('moves to the embedded database as well', async () => {
    const storage = toStorage(target);
    try {
      expect(await run('move', target, { NEW_DATABASE_URL: 'embedded' }, storage)).toMatchObject({
        failed: false,
      });
      expect(storage.connection.host).not.toBe(target.host);
      expect(await readChecksums(storage.connection)).toEqual(await readChecksums(target));
    } finally {
      await storage.stop();
    }
  });

  it('make-writable goes back to the old database', async () => {
    expect(await run('make-writable', product.connection)).toBe('The database is writable.');
    // A pool may still give out a connection whose end it has not read.
    await expect.poll(async () => (await changeSettings(1.5)).statusCode).toBe(200);
  });
});
