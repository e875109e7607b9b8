import { EventEmitter, once } from 'node:events';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { clientConfig } from './connection.ts';
import { silent } from './embedded/testing/helpers.ts';
import { listen } from './listen.ts';
import { createTestDatabase } from './testing.ts';

const connection = await createTestDatabase();
const admin = new Client(clientConfig(connection, 'admin'));
await admin.connect();
afterAll(() => admin.end());

/** An ear at a channel, which tells what it hears as events. */
function ear(channel: string, on = connection) {
  const heard = new EventEmitter<{ message: [string]; ready: [] }>();
  const listener = listen({
    ...{ connection: on, channel, name: `ear ${channel}`, log: silent },
    onMessage: (payload) => heard.emit('message', payload),
    onReady: () => heard.emit('ready'),
  });
  return { ...listener, heard };
}

const say = (channel: string, text: string) => admin.query('select pg_notify($1, $2)', [channel, text]);

it('hears what is said on its channel, and no other', async () => {
  const { heard, close } = ear('News "of" today');
  await once(heard, 'ready');
  const message = once(heard, 'message');
  await say('news', 'elsewhere');
  await say('News "of" today', 'here');
  expect(await message).toEqual(['here']);
  await close();
});

it('listens again when its connection is lost, and says so', async () => {
  const { heard, close } = ear('lost');
  await once(heard, 'ready');
  const again = once(heard, 'ready');
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ear lost'",
  );
  await again;
  const message = once(heard, 'message');
  await say('lost', 'found');
  expect(await message).toEqual(['found']);
  await close();
});

it('can be closed while it waits for a database that is not there', async () => {
  const { close } = ear('nowhere', { ...connection, database: 'no_such_database' });
  await close();
});
