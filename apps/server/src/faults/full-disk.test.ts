import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@escucho/database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startBreakableDatabase } from '../testing/faults/breakable-database.ts';
import { expectRecovery, HOLD_MS } from '../testing/faults/load.ts';
import { prepareFaultyProduct } from '../testing/faults/product.ts';

const product = await prepareFaultyProduct(startBreakableDatabase);
const { database } = product;
const ballast = join(database.dataDir, 'ballast');

/** Writes a file into the space that is left, which others use at the same time. */
async function writeBallast(): Promise<void> {
  const { bavail, bsize } = await statfs(database.dataDir);
  await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
  });
}

/** Fills the disk of the database by a file and, until `isOver`, the segments of the write-ahead log that exist. */
async function fillDisk(isOver: () => boolean): Promise<void> {
  const connection = database.getConnection();
  const db = openDatabase<object>({ connection, schema: 'public', name: 'disk filler', maxConnections: 1 });
  try {
    // Connects while there is space.
    await sql`select 1`.execute(db);
    await writeBallast();
    for (; !isOver(); await delay(50)) await sql`select pg_switch_wal()`.execute(db).catch(() => {});
  } finally {
    await db.destroy();
  }
}

// Only root may mount a small disk.
it.runIf(database.hasOwnDisk)('under load, no acknowledged write is lost when the disk is full', async () => {
  const users = await product.createUsers();
  const hasFailed = () => users.some(({ failures }) => failures.size > 0);
  const cause = async () => {
    try {
      await fillDisk(hasFailed);
      await delay(HOLD_MS);
    } finally {
      await rm(ballast, { force: true });
    }
  };
  const { failures } = await expectRecovery(product, {
    fault: 'the disk of the database is full',
    users,
    cause,
  });
  expect(failures).toHaveProperty('503');
});
