import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { expect, it } from 'vitest';
import { executeCommand } from './command.ts';
import { databaseCommandLine } from './db.ts';

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
