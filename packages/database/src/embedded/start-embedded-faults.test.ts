import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { can, isRoot, serviceAccount, spawnAs } from './account.ts';
import { readPidFile } from './pid-file.ts';
import { startEmbedded } from './start-embedded.ts';
import { ended, folder, nobody, query, started, startedElsewhere } from './testing/helpers.ts';

/** An ordinary account: ourselves, or as root `nobody`, where that can reach Node and this checkout. */
const ordinary = isRoot() ? nobody() : undefined;
const canBeOrdinary =
  (await can(ordinary, '"$1" --version', process.execPath)) &&
  (await can(ordinary, 'test -r "$1"', fileURLToPath(import.meta.url)));

describe('what a killed server leaves behind', async () => {
  const dataDir = join(await folder(afterAll), 'pg');

  /** A script whose first line of output is the id of a process that is not PostgreSQL. */
  const strangers = [
    ['a zombie', 'sh -c : & echo $!; exec sleep 60'],
    ['another program', 'echo $$; exec sleep 60'],
  ] as const;

  it.each(strangers)('does not hinder the next start when its process id is now %s', async (_, script) => {
    const cluster = join(dataDir, 'cluster');
    const { child, connection } = await startedElsewhere(dataDir);
    await query(connection, 'create table if not exists kept as select 42 as answer');
    await query(connection, 'checkpoint');
    await ended(child, 'SIGKILL');
    const pid = readPidFile(cluster)?.pid ?? 0;
    process.kill(pid, 'SIGKILL');

    const { uid, gid } = await stat(cluster);
    const stranger = spawn('/bin/sh', ['-c', script], {
      ...spawnAs({ uid, gid }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => ended(stranger, 'SIGKILL'));
    const [output] = await once(stranger.stdout, 'data');
    for (const file of [join(cluster, 'postmaster.pid'), join(connection.host, '.s.PGSQL.5432.lock')]) {
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(output).trim()));
    }

    const again = await started({ dataDir });
    expect(again.adopted).toBe(false);
    expect(await query(again.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });
});

describe('a start that cannot succeed says why', () => {
  it('when the data directory cannot be made', async () => {
    const file = join(await folder(), 'file');
    await writeFile(file, '');
    await expect(startEmbedded({ dataDir: join(file, 'pg') })).rejects.toMatchObject({
      code: 'not-writable',
    });
  });

  it.runIf(canBeOrdinary)('when the data directory cannot be written', async () => {
    const dataDir = join(await folder(), 'pg');
    await mkdir(dataDir);
    await chmod(dataDir, 0o555);
    const { code, message } = await startedElsewhere(dataDir, ordinary);
    expect(code).toBe('not-writable');
    expect(message).toContain(dataDir);
  });

  it('when the data is from another version of PostgreSQL', async () => {
    const dataDir = join(await folder(), 'pg');
    await mkdir(join(dataDir, 'cluster'), { recursive: true });
    await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '17\n');
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({ code: 'wrong-version' });
  });

  it('when the data was kept elsewhere and is gone', async () => {
    const dataDir = join(await folder(), 'pg');
    await mkdir(dataDir);
    await symlink('/nowhere/at-all', join(dataDir, 'elsewhere'));
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({
      code: 'data-missing',
      message: expect.stringContaining('/nowhere/at-all'),
    });
  });

  it('when its settings are wrong, in the words of PostgreSQL', async () => {
    const dataDir = join(await folder(), 'pg');
    await mkdir(dataDir, { mode: 0o711 });
    await writeFile(join(dataDir, 'custom.conf'), 'no_such_setting = 1\n');
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({
      code: 'start-failed',
      message: expect.stringContaining('no_such_setting'),
    });
  });
});

describe.runIf(isRoot())('started by root', () => {
  it('runs as an account of lesser rights, and does not begin anew when that cannot reach its data', async () => {
    const parent = await folder();
    const dataDir = join(parent, 'pg');
    const { note, stop } = await started({ dataDir });
    expect(note).toBeUndefined();
    expect((await stat(join(dataDir, 'cluster'))).uid).toBe((await serviceAccount()).uid);
    await stop();
    await chmod(parent, 0o700);
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({ code: 'not-writable' });
  });

  it.runIf(canBeOrdinary)('keeps the account that owns the data', async () => {
    const dataDir = join(await folder(), 'pg');
    const { uid, gid } = nobody();
    await mkdir(dataDir);
    await chown(dataDir, uid, gid);
    const other = await startedElsewhere(dataDir, { uid, gid });
    await query(other.connection, 'create table kept as select 42 as answer');
    await ended(other.child);

    const { connection } = await started({ dataDir });
    expect((await stat(join(dataDir, 'cluster'))).uid).toBe(uid);
    expect(await query(connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('puts data that its account could not reach where it can, says so, and finds it again', async () => {
    const parent = await folder();
    const dataDir = join(parent, 'pg');
    await chmod(parent, 0o700);
    const first = await started({ dataDir });
    const elsewhere = await readlink(join(dataDir, 'elsewhere'));
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
    expect(first.note).toContain(elsewhere);
    await query(first.connection, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await started({ dataDir });
    expect(second.note).toContain(elsewhere);
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });
});
