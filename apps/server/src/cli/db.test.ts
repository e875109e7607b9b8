import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, withScratchDatabase } from '@escucho/database';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { describe, expect, it, vi } from 'vitest';
import { executeCommand } from './command.ts';
import { databaseCommandLine } from './db.ts';
import { identityCommandLine } from './identity.ts';

it.each(['create-key', 'create-secrets'])('%s needs neither settings nor a database', async (command) => {
  const directory = await createFolder();
  const file = join(directory, 'created');
  const env = { NODE_ENV: 'production', SECRETS_FILE: file, DATA_DIR: join(directory, 'data') };
  const create = () => executeCommand(databaseCommandLine, [command, file], env);
  expect(await create()).toMatchObject({ exitCode: 0, output: expect.stringContaining(file) });
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await readdir(directory)).toEqual(['created']);
  expect(await create()).toMatchObject({ exitCode: 1, error: expect.stringContaining('exists already') });
});

it.each(['list-backups', 'restore-backup'])('%s refuses a directory that does not exist', async (command) => {
  const directory = await createFolder();
  const env = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()), DATA_DIR: directory };
  const store = `file:${join(directory, 'nowhere')}`;
  const { error, exitCode } = await executeCommand(databaseCommandLine, [command, store], env);
  expect([exitCode, error]).toEqual([1, expect.stringContaining('nowhere does not exist')]);
  expect(await readdir(directory)).not.toContain('nowhere');
});

it.each(['backup', 'restore', 'create-key', 'create-secrets'])(
  '%s asks for its own file',
  async (command) => {
    const env = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()) };
    const { error } = await executeCommand(databaseCommandLine, [command], env);
    expect(error).toBe(`Which file? npm run db -- ${command} FILE`);
  },
);

it('names a file that cannot be one, before it reads the database', async () => {
  const directory = await createFolder();
  const env = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()), DATA_DIR: directory };
  const run = async (...args: string[]) => (await executeCommand(databaseCommandLine, args, env)).error;
  const missing = join(directory, 'missing');
  const note = join(directory, 'note');
  await writeFile(note, '# public key: age1…');
  expect(await run('restore', missing)).toBe(`${missing} does not exist.`);
  expect(await run('restore', directory)).toBe(`${directory} is a directory. Name a file.`);
  expect(await run('restore', note, '--identity', missing)).toBe(`${missing} does not exist.`);
  expect(await run('restore', note, '--identity', note)).toContain(`${note} has no secret key of age`);
  expect(await run('backup', directory)).toBe(`${directory} is a directory. Name a file.`);
  expect(await run('backup', join(missing, 'a.gz'))).toBe(`${missing} does not exist.`);
  expect(await run('create-key', join(missing, 'key'))).toBe(`${missing} does not exist.`);
});

it('warns once where it creates a database in a mistyped DATA_DIR', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const env = { DATA_DIR: await createFolder() };
  const jobs = () => executeCommand(databaseCommandLine, ['jobs'], env);
  expect([await jobs(), await jobs()]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  const warning = `${env.DATA_DIR} has no database: an empty one is created.`;
  expect(write.mock.calls).toEqual([[expect.stringContaining(warning)]]);
});

describe('take-backup', () => {
  const takeBackup = async (connection: Connection) => {
    const directory = await createFolder();
    const sets = join(directory, 'sets');
    await mkdir(sets);
    const env = { DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: directory, BACKUP_TO: `file:${sets}` };
    const result = await executeCommand(databaseCommandLine, ['take-backup'], env);
    return { ...result, files: await readdir(directory), sets: await readdir(sets) };
  };

  it('refuses the secrets of another installation', async () => {
    const connection = await createTestDatabase();
    const env = { DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: await createFolder() };
    await executeCommand(identityCommandLine, ['rotate-keys'], env);
    expect(await takeBackup(connection)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('another identity secret'),
      files: ['sets'],
      sets: [],
    });
  });

  it('refuses a database without tables, and neither creates secrets nor warns', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const result = await withScratchDatabase(await createTestDatabase(), takeBackup);
    expect(warn).not.toHaveBeenCalled();
    expect(result).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('no tables'),
      files: ['sets'],
      sets: [],
    });
  });
});

it('shows the progress of a backup and of its restore on standard error', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true).mockClear();
  const env = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()), DATA_DIR: await createFolder() };
  const file = join(env.DATA_DIR, 'backup.gz');
  for (const args of [
    ['backup', file],
    ['restore', file, '--replace'],
  ])
    expect(await executeCommand(databaseCommandLine, args, env)).toMatchObject({ exitCode: 0 });
  expect(write.mock.calls.map(([line]) => String(line).replace(/[\d.]+ of .*/, '1 of 1 MB'))).toEqual([
    'Copying the database …\n',
    '[########################] 1 of 1 MB\n',
    'Restoring the database …\n',
    '[########################] 1 of 1 MB\n',
  ]);
});
