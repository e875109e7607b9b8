import { expect, it } from 'vitest';
import { assertSameDirectDatabase, type Connection, withClient } from './connection.ts';
import { startEmbedded } from './embedded/start-embedded.ts';
import { addCleanup, createFolder, createTestDatabase } from './testing.ts';

const connection = await createTestDatabase();
const execute = (target: Connection, text: string) =>
  withClient({ connection: target, name: 'tests' }, (client) => client.query(text));
const differs = { code: 'direct-differs' };

it('accepts a direct address of the same database, or none', async () => {
  await assertSameDirectDatabase(connection);
  // The same directory by another path.
  await assertSameDirectDatabase({ ...connection, direct: { ...connection, host: `${connection.host}/.` } });
});

it('refuses a direct address of another database of the server', async () => {
  const direct = await createTestDatabase();
  await expect(assertSameDirectDatabase({ ...connection, direct })).rejects.toMatchObject(differs);
});

it('refuses a direct address of another server unless its identifier may not be read', async () => {
  const other = await startEmbedded({ dataDir: await createFolder(), durable: false });
  addCleanup(() => other.stop());
  const direct = { ...other.connection, database: connection.database };
  await execute(other.connection, `create database ${direct.database}`);
  await expect(assertSameDirectDatabase({ ...connection, direct })).rejects.toMatchObject(differs);

  await execute(direct, `create role guest login password 'guest'`);
  await execute(direct, 'revoke execute on function pg_control_system() from public');
  await assertSameDirectDatabase({ ...connection, direct: { ...direct, user: 'guest', password: 'guest' } });
});
