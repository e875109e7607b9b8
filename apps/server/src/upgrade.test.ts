import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@escucho/database';
import { createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { startProduct } from './product.ts';
import { readSettings } from './settings.ts';
import { describeStartError } from './start-errors.ts';

const connection = await createTestDatabase();

it('a version that is older than its database refuses to start and gives the reason', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'escucho-upgrade-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const db = openDatabase<object>({ connection, schema: 'portal', name: 'upgrade test', maxConnections: 1 });
  onTestFinished(() => db.destroy());
  await sql`insert into migration_checksum values ('9999_future', '')`.execute(db);

  const env = { DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: dataDir };
  const starting = startProduct(readSettings(env));
  const message = await starting.then(() => undefined, describeStartError);
  expect(message).toMatch(/upgraded by a newer version, which added migration 9999_future/);
});
