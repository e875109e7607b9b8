import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@escucho/database';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createInstance } from '../instance.ts';
import { executeCommand } from './command.ts';
import { identityCommandLine } from './identity.ts';

const connection = await createTestDatabase();
const env = { DATA_DIR: await createFolder(), DATABASE_URL: toDatabaseUrl(connection) };
const db = openDatabase<object>({ connection, schema: 'identity', name: 'identity command tests' });
afterAll(() => db.destroy());

const run = (...args: string[]) => executeCommand(identityCommandLine, args, env);
const list = async (...args: string[]) => {
  const { output } = await run('list', ...args);
  return output.trim().split('\n');
};

it('lists the newest 200 accounts, with a note where there are more', async () => {
  expect(await list()).toEqual(['No accounts.']);
  await sql`
    insert into account (id, email, status, credential, created_at, updated_at)
    select gen_random_uuid(), 'user' || number || '@example.org', 'CONFIRMED', '', now() - number * interval '1 s', now()
    from generate_series(1, 201) number`.execute(db);
  const lines = await list();
  expect(lines).toHaveLength(201);
  expect([lines[0], lines[199], lines[200]]).toEqual([
    expect.stringContaining('user1@example.org'),
    expect.stringContaining('user200@example.org'),
    'Older accounts are not listed: give a TEXT to find them.',
  ]);
  expect(await list('user201@')).toEqual([expect.stringContaining('user201@example.org')]);
});

it.each([
  ['the secrets of another installation', ['secrets.json']],
  ['a directory without secrets', []],
])('refuses %s and writes nothing', async (_, files) => {
  const countKeys = async () => (await sql`select from signing_key`.execute(db)).rows.length;
  expect((await run('rotate-keys')).exitCode).toBe(0);
  const before = await countKeys();
  const directory = await createFolder();
  for (const file of files) await writeFile(join(directory, file), JSON.stringify(createInstance()));
  const others = { ...env, DATA_DIR: directory };
  expect(await executeCommand(identityCommandLine, ['rotate-keys'], others)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('another identity secret'),
  });
  expect([await countKeys(), await readdir(directory)]).toEqual([before, files]);
});

it('deletes an account only once that is confirmed', async () => {
  await sql`
    insert into account (id, email, status, credential, created_at, updated_at)
    values (gen_random_uuid(), 'gone@example.org', 'CONFIRMED', '', now(), now())`.execute(db);
  expect(await run('delete', 'gone@example.org')).toMatchObject({
    exitCode: 1,
    error: 'This deletes the account gone@example.org permanently. Confirm it by --yes.',
  });
  expect(await list('gone@')).toHaveLength(1);
  expect(await run('delete', 'gone@example.org', '--yes')).toMatchObject({
    output: 'Deleted: gone@example.org',
  });
  expect(await list('gone@')).toEqual(['No accounts.']);
});
