import { createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { expect, it } from 'vitest';
import { openStorage } from './storage.ts';

it('refuses DATABASE_DIRECT_URL of a database that was moved from', async () => {
  const [databaseUrl, formerUrl] = [await createTestDatabase(), await createTestDatabase()].map(
    toDatabaseUrl,
  );
  const settings = { databaseUrl, readDatabaseUrl: undefined, dataDir: '/nowhere' };
  const open = (directDatabaseUrl: string | undefined) => openStorage({ ...settings, directDatabaseUrl });
  await expect(open(formerUrl)).rejects.toThrow('DATABASE_DIRECT_URL leads to another database');
  expect((await open(databaseUrl)).connection.direct).toBeDefined();
});
