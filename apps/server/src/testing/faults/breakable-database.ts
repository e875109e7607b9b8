import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { type Embedded, openDatabase, startEmbedded } from '@escucho/database';
import { silentLog as log } from '@escucho/database/testing';
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { startTcpProxy } from './tcp-proxy.ts';

/** Mounts a small file system for the database, so that a test can fill it; only root may. */
function mountDisk(directory: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=711', 'escucho', directory], {
      stdio: 'ignore',
    });
  } catch {
    return false;
  }
  afterAll(() => void execFileSync('umount', ['--lazy', directory]));
  return true;
}

/** Starts an embedded database on a disk of its own, if possible, behind a proxy that a test can break. */
export async function startBreakableDatabase(dataDir: string) {
  await mkdir(dataDir);
  const hasOwnDisk = mountDisk(dataDir);
  const start = () => startEmbedded({ dataDir, log });
  let embedded: Embedded = await start();
  afterAll(() => embedded.stop());
  const toTarget = ({ connection: { host, port } }: Embedded) => ({ path: `${host}/.s.PGSQL.${port}` });
  const proxy = await startTcpProxy(toTarget(embedded));
  const { user, database } = embedded.connection;
  const stop = () => embedded.stop();
  async function startAgain(): Promise<void> {
    embedded = await start();
    proxy.setTarget(toTarget(embedded));
  }
  return {
    url: `postgres://${user}@127.0.0.1:${proxy.port}/${database}`,
    getConnection: () => embedded.connection,
    dataDir,
    hasOwnDisk,
    proxy,
    stop,
    start: startAgain,
    /** Restarts PostgreSQL so that it allows so many connections. Several processes need more than the 100 of one. */
    allowConnections: async (count: number) => {
      const { connection } = embedded;
      const db = openDatabase<object>({ connection, schema: 'public', name: 'faults', maxConnections: 1 });
      await sql`alter system set max_connections = ${sql.lit(count)}`.execute(db);
      await db.destroy();
      await stop();
      await startAgain();
    },
  };
}
