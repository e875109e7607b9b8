import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../testing/cleanup.ts';
import { canRun, findServiceAccount, isRoot, spawnOptions } from './account.ts';
import { readPidFile } from './pid-file.ts';
import { startEmbedded } from './start-embedded.ts';
import {
  endProcess,
  getNobodyAccount,
  query,
  startInOtherProcess,
  startTestServer,
} from './testing/helpers.ts';

/** An ordinary account: ourselves, or as root `nobody`, where that can reach Node and this checkout. */
const ordinary = isRoot() ? getNobodyAccount() : undefined;
const canBeOrdinary =
  (await canRun(ordinary, '"$1" --version', process.execPath)) &&
  (await canRun(ordinary, 'test -r "$1"', fileURLToPath(import.meta.url)));

describe('a start after a killed server', async () => {
  const dataDir = join(await createFolder(), 'pg');

  /** A script whose first line of output is the id of a process that is not PostgreSQL. */
  const strangers = [
    ['a zombie', 'sh -c : & echo $!; exec sleep 60'],
    ['another program', 'echo $$; exec sleep 60'],
  ] as const;

  it.each(strangers)('does not hinder the next start when its process id is now %s', async (_, script) => {
    const cluster = join(dataDir, 'cluster');
    const { child, connection } = await startInOtherProcess(dataDir);
    await query(connection, 'create table if not exists kept as select 42 as answer');
    await query(connection, 'checkpoint');
    await endProcess(child, 'SIGKILL');
    const pid = readPidFile(cluster)?.pid ?? 0;
    process.kill(pid, 'SIGKILL');

    const { uid, gid } = await stat(cluster);
    const stranger = spawn('/bin/sh', ['-c', script], {
      ...spawnOptions({ uid, gid }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => endProcess(stranger, 'SIGKILL'));
    const [output] = await once(stranger.stdout, 'data');
    for (const file of [join(cluster, 'postmaster.pid'), join(connection.host, '.s.PGSQL.5432.lock')]) {
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(output).trim()));
    }

    const again = await startTestServer({ dataDir });
    expect(again.adopted).toBe(false);
    expect(await query(again.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });
});

describe('a failing start reports the reason', () => {
  it('when the data directory cannot be created', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');
    await expect(startEmbedded({ dataDir: join(file, 'pg') })).rejects.toMatchObject({
      code: 'not-writable',
    });
  });

  it.runIf(canBeOrdinary)('when the data directory cannot be written', async () => {
    const dataDir = join(await createFolder(), 'pg');
    await mkdir(dataDir);
    await chmod(dataDir, 0o555);
    const { code, message } = await startInOtherProcess(dataDir, ordinary);
    expect(code).toBe('not-writable');
    expect(message).toContain(dataDir);
  });

  it('when the data is from another version of PostgreSQL', async () => {
    const dataDir = join(await createFolder(), 'pg');
    await mkdir(join(dataDir, 'cluster'), { recursive: true });
    await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '17\n');
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({ code: 'wrong-version' });
  });

  it('when data that was moved to another folder is gone', async () => {
    const dataDir = join(await createFolder(), 'pg');
    await mkdir(dataDir);
    await symlink('/nowhere/at-all', join(dataDir, 'elsewhere'));
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({
      code: 'data-missing',
      message: expect.stringContaining('/nowhere/at-all'),
    });
  });

  it('when its settings are wrong, with PostgreSQL’s output', async () => {
    const dataDir = join(await createFolder(), 'pg');
    await mkdir(dataDir, { mode: 0o711 });
    await writeFile(join(dataDir, 'custom.conf'), 'no_such_setting = 1\n');
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({
      code: 'start-failed',
      message: expect.stringContaining('no_such_setting'),
    });
  });
});

describe.runIf(isRoot())('started by root', () => {
  it('as root runs as another account and refuses data it cannot reach', async () => {
    const parent = await createFolder();
    const dataDir = join(parent, 'pg');
    const { note, stop } = await startTestServer({ dataDir });
    expect(note).toBeUndefined();
    expect((await stat(join(dataDir, 'cluster'))).uid).toBe((await findServiceAccount()).uid);
    await stop();
    await chmod(parent, 0o700);
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({ code: 'not-writable' });
  });

  it.runIf(canBeOrdinary)('keeps the account that owns the data', async () => {
    const dataDir = join(await createFolder(), 'pg');
    const { uid, gid } = getNobodyAccount();
    await mkdir(dataDir);
    await chown(dataDir, uid, gid);
    const other = await startInOtherProcess(dataDir, { uid, gid });
    await query(other.connection, 'create table kept as select 42 as answer');
    await endProcess(other.child);

    const { connection } = await startTestServer({ dataDir });
    expect((await stat(join(dataDir, 'cluster'))).uid).toBe(uid);
    expect(await query(connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('moves data its account cannot reach, notes it, and finds it again', async () => {
    const parent = await createFolder();
    const dataDir = join(parent, 'pg');
    await chmod(parent, 0o700);
    const first = await startTestServer({ dataDir });
    const movedTo = await readlink(join(dataDir, 'elsewhere'));
    onTestFinished(() => rm(movedTo, { recursive: true, force: true }));
    expect(first.note).toContain(movedTo);
    await query(first.connection, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await startTestServer({ dataDir });
    expect(second.note).toContain(movedTo);
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });
});
