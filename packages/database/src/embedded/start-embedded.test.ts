import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../testing/cleanup.ts';
import { silentLog } from '../testing.ts';
import { findRunningEmbedded } from './connect-or-launch.ts';
import { isClusterProcess, readPidFile } from './pid-file.ts';
import { startEmbedded } from './start-embedded.ts';
import { endProcess, query, startInOtherProcess, startTestServer } from './testing/helpers.ts';

function isRunning(dataDir: string): boolean {
  const found = readPidFile(join(dataDir, 'cluster'));
  return found !== undefined && isClusterProcess(found.pid, join(dataDir, 'cluster'));
}

describe('an embedded database', () => {
  it('starts empty and keeps committed rows over a restart', async () => {
    const dataDir = join(await createFolder(), 'deep', 'pg');
    const first = await startEmbedded({ dataDir, log: silentLog });
    await query(first.connection, 'create table kept as select 42 as answer');
    expect(await query(first.connection, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await first.stop();
    expect(isRunning(dataDir)).toBe(false);

    const second = await startTestServer({ dataDir });
    expect([first.adopted, second.adopted]).toEqual([false, false]);
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('accepts local connections only and sorts English and Spanish', async () => {
    const dataDir = join(await createFolder(), 'pg');
    await mkdir(dataDir, { mode: 0o711 });
    await writeFile(join(dataDir, 'custom.conf'), "work_mem = '3MB'\n");
    const { connection } = await startTestServer({ dataDir });

    // no port, only a socket in a folder that others may not enter
    expect(await query(connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(connection.host).toBe(join(dataDir, 'run'));
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);

    // UTF-8, sorted by code point, with the capitals of Spanish
    const words = `select lower('ÁÑ') as lower, 'ñ' > 'z' as after_z, 'É' ilike 'é' as alike`;
    expect(await query(connection, words)).toEqual([{ lower: 'áñ', after_z: true, alike: true }]);
    expect(await query(connection, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);

    // the operator's settings come after ours
    expect(await query(connection, 'show work_mem')).toEqual([{ work_mem: '3MB' }]);
    expect(await query(connection, 'show jit')).toEqual([{ jit: 'off' }]);

    // values of failed statements stay out of the log
    await expect(query(connection, `select 'hush'::int`)).rejects.toThrow('hush');
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('hush');
  });

  it.runIf(process.platform === 'linux')('needs no /dev/shm, which some containers lack', async () => {
    const dataDir = join(await createFolder(), 'pg');
    await startTestServer({ dataDir });
    const pid = readPidFile(join(dataDir, 'cluster'))?.pid;
    expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).not.toContain('/dev/shm');
  });

  it('starts in a folder with commas, quotes, spaces and backslashes in its name', async () => {
    const dataDir = join(await createFolder(), ` a, "b" 'c' \\d ñ `);
    await mkdir(dataDir, { mode: 0o711 });
    await writeFile(join(dataDir, 'custom.conf'), "work_mem = '3MB'\n");
    const { connection } = await startTestServer({ dataDir });
    expect(connection.host).toBe(join(dataDir, 'run'));
    expect(await query(connection, 'show work_mem')).toEqual([{ work_mem: '3MB' }]);
  });

  it('uses a short socket path when its own would be too long', async () => {
    const dataDir = join(await createFolder(), 'long'.repeat(30));
    const { connection, stop } = await startTestServer({ dataDir });
    expect(connection.host).toMatch(/^\/tmp\/escucho-\w+$/);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop();
    expect(existsSync(connection.host)).toBe(false);
  });
});

describe('the server process', async () => {
  const dataDir = join(await createFolder(), 'pg');

  it('outlives a killed process and is adopted at the next start', async () => {
    const { child, connection } = await startInOtherProcess(dataDir);
    await query(connection, 'create table kept as select 42 as answer');
    await endProcess(child, 'SIGKILL');
    expect(isRunning(dataDir)).toBe(true);

    const { adopted, connection: again, stop } = await startTestServer({ dataDir });
    expect(adopted).toBe(true);
    expect(await query(again, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await stop();
    expect(isRunning(dataDir)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'is replaced when its data directory was deleted, also where sockets are in /tmp',
    async () => {
      const deleted = join(await createFolder(), 'long'.repeat(30));
      const { child } = await startInOtherProcess(deleted);
      const orphan = readPidFile(join(deleted, 'cluster'))?.pid ?? 0;
      await endProcess(child, 'SIGKILL');
      await rm(deleted, { recursive: true });
      expect(isClusterProcess(orphan, join(deleted, 'cluster'))).toBe(true);

      const { adopted, connection } = await startTestServer({ dataDir: deleted });
      expect(isClusterProcess(orphan, join(deleted, 'cluster'))).toBe(false);
      expect(adopted).toBe(false);
      expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    },
  );

  it('a second start fails with in-use and names the owner', async () => {
    expect(await findRunningEmbedded(dataDir)).toBeUndefined();
    const { child, connection } = await startInOtherProcess(dataDir);
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({
      code: 'in-use',
      message: expect.stringContaining(`process ${child.pid}:`),
    });
    expect(await findRunningEmbedded(dataDir)).toEqual(connection);
    await endProcess(child);
    await expect.poll(() => isRunning(dataDir), { timeout: 30_000 }).toBe(false);
  });

  it('is restarted under the same address when the server is killed', async () => {
    const { connection } = await startTestServer({ dataDir });
    const before = readPidFile(join(dataDir, 'cluster'))?.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await expect
      .poll(() => query(connection, 'select 1 as one').catch(() => 'not yet'), { timeout: 30_000 })
      .toEqual([{ one: 1 }]);
    expect(readPidFile(join(dataDir, 'cluster'))?.pid).not.toBe(before);
  });

  it('is created once by two concurrent starts', async () => {
    const empty = join(await createFolder(), 'pg');
    const starts = await Promise.allSettled([
      startTestServer({ dataDir: empty }),
      startTestServer({ dataDir: empty }),
    ]);
    const outcome = starts.map((start) => (start.status === 'fulfilled' ? 'started' : start.reason.code));
    expect(outcome.toSorted()).toEqual(['in-use', 'started']);
    const connection = await findRunningEmbedded(empty);
    expect(connection && (await query(connection, 'select 1 as one'))).toEqual([{ one: 1 }]);
  });
});
