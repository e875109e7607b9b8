import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { query } from '../embedded/testing/helpers.ts';
import { migrateSchemas } from '../migrate/migrate.ts';
import { createFolder, createTestDatabase, silentLog } from '../testing.ts';
import { backup, restore } from './backup.ts';
import { createBackupKey } from './encryption.ts';

const folder = await createFolder();
const [source, target] = [await createTestDatabase(), await createTestDatabase()];
await writeFile(join(folder, '0001_a.sql'), 'create table a (secret text)');
for (const connection of [source, target])
  await migrateSchemas({ connection, schemas: [{ schema: 'vault', directory: folder }], log: silentLog });
await query(source, `insert into a select 'hunter22 ' || n from generate_series(1, 20000) n`, 'vault');

const [ours, spare, foreign] = await Promise.all([createBackupKey(), createBackupKey(), createBackupKey()]);
const file = join(folder, 'backup.age');
await backup({ connection: source, file, recipients: [ours.recipient, spare.recipient] });
const count = async () =>
  (await query<{ n: number }>(target, 'select count(*)::int as n from a', 'vault'))[0]?.n;

describe('an encrypted backup', () => {
  it('is complete where two processes write one of the same name at once', async () => {
    const shared = { connection: source, file: join(folder, 'shared.age'), recipients: [ours.recipient] };
    await Promise.all([backup(shared), backup(shared)]);
    await restore({ connection: target, file: shared.file, identities: [ours.identity], replace: true });
    expect(await count()).toBe(20_000);
    expect((await readdir(folder)).filter((name) => name.startsWith('shared'))).toEqual(['shared.age']);
  });

  it.each([
    ['each of its keys', [spare.identity]],
    ['one of several keys', [foreign.identity, ours.identity]],
  ])('is restored with %s', async (_, identities) => {
    await restore({ connection: target, file, identities, replace: true });
    expect(await count()).toBe(20_000);
  });

  it.each([
    ['no key', []],
    ['another key', [foreign.identity]],
    ['no valid key', ['AGE-SECRET-KEY-1NONE']],
  ])('is refused with %s, and nothing changes', async (_, identities) => {
    const before = await count();
    const work = restore({ connection: target, file, identities, replace: true });
    await expect(work).rejects.toMatchObject({ code: 'backup-key' });
    expect(await count()).toBe(before);
  });

  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, -20)],
    ['altered', (whole: Buffer) => whole.fill(0, whole.length - 8, whole.length - 4)],
  ])('is refused when it is %s', async (_, damage) => {
    const damaged = join(folder, 'damaged.age');
    await writeFile(damaged, damage(await readFile(file)));
    const work = restore({ connection: target, file: damaged, identities: [ours.identity], replace: true });
    await expect(work).rejects.toMatchObject({ code: 'backup-damaged' });
  });

  it('is not written for a text that is no recipient', async () => {
    const work = backup({ connection: source, file: join(folder, 'none'), recipients: ['ana@example.org'] });
    await expect(work).rejects.toMatchObject({ code: 'backup-key' });
  });
});
