import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordAuditEvent, runAsAdmin } from '@escucho/audit';
import { openDatabase, withScratchDatabase } from '@escucho/database';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { sql } from 'kysely';
import { afterAll, expect, it, vi } from 'vitest';
import { auditCommandLine } from './audit.ts';
import { commandLog, executeCommand } from './command.ts';
import { contentCommandLine } from './content.ts';
import { databaseCommandLine } from './db.ts';
import { identityCommandLine } from './identity.ts';

const connection = await createTestDatabase();
const db = openDatabase<object>({ connection, schema: 'audit', name: 'audit command tests' });
afterAll(() => db.destroy());

const env = { NODE_ENV: 'development', DATABASE_URL: toDatabaseUrl(connection), SUDO_USER: 'maria' };
const run = (...args: string[]) => executeCommand(auditCommandLine, args, env);

const userId = randomUUID();
await recordAuditEvent(db, { type: 'code_sent', userId, details: { email: 'ana@example.org' } });
await recordAuditEvent(db, { type: 'password_reset', userId });

it('lists events by filter, newest first', async () => {
  const { output, exitCode } = await run('list', '--user', userId);
  expect(exitCode).toBe(0);
  expect(output.split('\n').map((line) => line.split('  ').slice(1, 4))).toEqual([
    ['password_reset', 'system', userId],
    ['code_sent', 'system', userId],
  ]);
  expect(output).toContain('email=a***@e***');
  const json = await run('list', '--user', userId, '--type', 'code_sent', '--since', '2020-01-01', '--json');
  expect(JSON.parse(json.output)).toMatchObject({ type: 'code_sent', userId });
});

it.each(['203.0.113.7', '203.0.113.0/24'])('finds the events of a network by %s', async (network) => {
  const id = randomUUID();
  await sql`insert into audit.event (type, actor, user_id, network)
    values ('signed_in', 'user', ${id}, '203.0.113.0/24')`.execute(db);
  expect((await run('list', '--network', network, '--user', id)).output).toContain('signed_in');
});

it('records every command with who ran it, and failures with their reason', async () => {
  await run('list', '--until', 'mañana ana@example.org');
  await run('list', '--user', userId);
  const { output } = await run(
    'list',
    '--type',
    'admin_command',
    '--type',
    'admin_command_failed',
    '--limit',
    '2',
  );
  const [success = '', failure = ''] = output.split('\n');
  expect(success).toContain(
    `admin_command  admin maria  -  -  -  -  command=audit list  arguments=--user ${userId}`,
  );
  expect(failure).toContain('admin_command_failed  admin maria');
  expect(failure).toContain('reason=--until: not a time: mañana a***@e***');
});

it('reports a database that cannot be reached once', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const unreachable = { ...env, DATABASE_URL: 'postgres://escucho:secret@127.0.0.1:1/escucho' };
  const { error } = await executeCommand(auditCommandLine, ['list'], unreachable);
  expect(error).toMatch(/^127\.0\.0\.1:1 cannot be reached/);
  expect(warn).not.toHaveBeenCalled();
});

it('lists no events of a new database', async () => {
  const result = await withScratchDatabase(connection, (scratch) =>
    executeCommand(auditCommandLine, ['list'], { ...env, DATABASE_URL: toDatabaseUrl(scratch) }),
  );
  expect(result).toEqual({ output: 'No events.', exitCode: 0 });
});

it.each([[[]], [['--json']]])('prints no control characters with the options %j', async (flags) => {
  const userId = randomUUID();
  const record = () => recordAuditEvent(db, { type: 'password_reset', userId });
  await runAsAdmin('maria\u001b[2J\u009b2J\n', commandLog, record);
  const { output } = await run('list', '--user', userId, ...flags);
  expect(output).toContain('maria');
  expect(output).not.toMatch(/\p{Cc}/u);
});

it.each([
  ['--type', 'nothing'],
  ['--since', 'soon'],
  ['--since', '05/11/2026'],
  ['--since', '2026-02-30'],
  ['--until', '7'],
  ['--limit', '0'],
  ['--network', 'Lima'],
  ['--network', '203.0.0.0/16'],
  ['--other', 'x'],
])('refuses %s %s', async (name, value) => {
  const { exitCode, error } = await run('list', name, value);
  expect(exitCode).toBe(1);
  expect(error).toContain(name.replace('--type', 'type'));
});

it.each([
  ['make-writable now', databaseCommandLine],
  ['restore one.gz two.gz', databaseCommandLine],
  ['disable ana@example.org bea@example.org', identityCommandLine],
  ['rotate-keys --soon', identityCommandLine],
  ['load one two', contentCommandLine],
])('refuses arguments that it would ignore: %s', async (command, commandLine) => {
  const args = command.split(' ');
  const { exitCode, error } = await executeCommand(commandLine, args, env);
  expect([exitCode, error]).toEqual([1, expect.stringContaining(args.at(-1) ?? '')]);
});

it('prints the help instead of running a command with --help', async () => {
  const { output, exitCode } = await executeCommand(identityCommandLine, ['rotate-keys', '--help'], env);
  expect([exitCode, output]).toEqual([0, identityCommandLine.help]);
});

it('runs where a symbolic link leads to it', async () => {
  const folder = await createFolder();
  await symlink(import.meta.dirname, join(folder, 'cli'));
  const command = ['--import', 'tsx', join(folder, 'cli/audit.ts'), '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  expect(stdout).toContain('npm run audit');
});
