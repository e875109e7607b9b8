import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { clientConfig } from '../connection.ts';
import { createFolder, createTestDatabase, silentLog } from '../testing.ts';
import { migrateSchemas } from './migrate.ts';

const connection = await createTestDatabase();
let schema = '';
let count = 0;

beforeEach(() => {
  count += 1;
  schema = `room_${count}`;
});

async function migrations(files: Record<string, string>): Promise<string> {
  const directory = await createFolder();
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql);
  return directory;
}

async function rows(sql: string, values: unknown[] = []) {
  const client = new Client(clientConfig(connection, 'test'));
  await client.connect();
  const result = await client.query(sql, values);
  await client.end();
  return result.rows;
}

const run = (directory: string, as = connection) =>
  migrateSchemas({ connection: as, schemas: [{ schema, directory }], log: silentLog });
const tables = () =>
  rows('select table_name as name from information_schema.tables where table_schema = $1 order by 1', [
    schema,
  ]);

describe('migrate', () => {
  it('applies each migration once and returns its name', async () => {
    const directory = await migrations({
      '0001_words.sql': 'create table word (text text); create index on word using gin (text gin_trgm_ops);',
      '0002_more.sql': "insert into word values (unaccent('canción'));",
    });
    expect(await run(directory)).toEqual(['0001_words', '0002_more']);
    expect(await run(directory)).toEqual([]);
    expect(await rows(`select text from ${schema}.word`)).toEqual([{ text: 'cancion' }]);
    expect(
      await rows(
        `select name, timestamp::timestamptz <= now() as applied from ${schema}.migration order by name`,
      ),
    ).toEqual([
      { name: '0001_words', applied: true },
      { name: '0002_more', applied: true },
    ]);
  });

  it('applies only new migrations', async () => {
    await run(await migrations({ '0001_a.sql': 'create table a ();' }));
    expect(
      await run(await migrations({ '0001_a.sql': 'create table a ();', '0002_b.sql': 'create table b ();' })),
    ).toEqual(['0002_b']);
  });

  it('runs once when several processes start at the same time', async () => {
    const directory = await migrations({
      '0001_a.sql': 'select pg_sleep(0.1); create table a ();',
      '0002_b.sql': 'create table b ();',
    });
    const done = await Promise.all([1, 2, 3, 4].map(() => run(directory)));
    expect(done.flat().toSorted()).toEqual(['0001_a', '0002_b']);
  });

  it('rolls back a failing migration with those before it, and reports its line', async () => {
    const old = { '0001_a.sql': 'create table a ();' };
    await run(await migrations(old));
    const before = await tables();
    const directory = await migrations({
      ...old,
      '0002_b.sql': 'create table b ();',
      '0003_c.sql': 'create table c ();\n-- ñ\ncreate table d (e nonsense);\n',
      '0004_d.sql': 'create table e ();',
    });
    await expect(run(directory)).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(/0003_c line 3: .*nonsense.* Nothing was changed/),
    });
    expect(await tables()).toEqual(before);
    expect(await run(await migrations(old))).toEqual([]);
  });

  it('changes no schema when a migration of another one fails', async () => {
    const good = { schema, directory: await migrations({ '0001_a.sql': 'create table a ();' }) };
    const bad = { schema: `${schema}_b`, directory: await migrations({ '0001_b.sql': 'nonsense' }) };
    const migrateBoth = migrateSchemas({ connection, schemas: [good, bad], log: silentLog });
    await expect(migrateBoth).rejects.toMatchObject({ code: 'migration-failed' });
    expect(await tables()).toEqual([]);
  });

  it.each([
    ['migration-changed', { '0001_a.sql': 'create table a (b text);' }],
    ['migration-unknown', { '0002_b.sql': 'create table b ();' }],
    ['migration-failed', { '0001_a.sql': 'create table a ();', '0002_b.sql': 'create table b (); commit;' }],
  ] as const)('is refused as %s', async (code, files) => {
    await run(await migrations({ '0001_a.sql': 'create table a ();' }));
    await expect(run(await migrations(files))).rejects.toMatchObject({ code });
  });

  it('needs no privilege to create what exists', async () => {
    const guest = await newGuest();
    await rows(`create schema ${schema} authorization ${guest.user}`);
    const directory = await migrations({ '0001_a.sql': 'create table a ();' });
    expect(await run(directory, guest)).toEqual(['0001_a']);
  });

  it('names the missing extension to a role that may not create it', async () => {
    const guest = await newGuest();
    const database = `bare_${guest.user}`;
    await rows(`create database ${database} template template0`);
    onTestFinished(() => rows(`drop database ${database}`).then(() => {}));
    await expect(run(await migrations({}), { ...guest, database })).rejects.toMatchObject({
      code: 'extension-missing',
      message: expect.stringContaining('pg_trgm'),
    });
  });
});

/** A role that may do nothing but log in. */
async function newGuest() {
  const user = `guest_${randomBytes(4).toString('hex')}`;
  await rows(`create role ${user} login password 'guest'`);
  onTestFinished(() => rows(`drop owned by ${user} cascade; drop role ${user}`).then(() => {}));
  return { ...connection, user, password: 'guest' };
}
