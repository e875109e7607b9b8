import { EventEmitter, once } from 'node:events';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { clientConfig } from './connection.ts';
import { listen } from './keep-connected.ts';
import { createTestDatabase, silentLog } from './testing.ts';

const connection = await createTestDatabase();
const admin = new Client(clientConfig(connection, 'admin'));
await admin.connect();
afterAll(() => admin.end());

/** Listens to a channel and emits its notifications as events. */
function startListener(channel: string, on = connection) {
  const events = new EventEmitter<{ message: [string]; ready: [] }>();
  const listener = listen({
    connection: on,
    channel,
    name: `startListener ${channel}`,
    log: silentLog,
    onMessage: (payload) => events.emit('message', payload),
    onReady: () => events.emit('ready'),
  });
  return { ...listener, events };
}

const notify = (channel: string, text: string) => admin.query('select pg_notify($1, $2)', [channel, text]);

it('receives notifications of its channel only', async () => {
  const { events, close } = startListener('News "of" today');
  await once(events, 'ready');
  const message = once(events, 'message');
  await notify('news', 'other channel');
  await notify('News "of" today', 'here');
  expect(await message).toEqual(['here']);
  await close();
});

it('reconnects after a lost connection and calls onReady again', async () => {
  const { events, close } = startListener('lost');
  await once(events, 'ready');
  const again = once(events, 'ready');
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'startListener lost'",
  );
  await again;
  const message = once(events, 'message');
  await notify('lost', 'found');
  expect(await message).toEqual(['found']);
  await close();
});

it('can be closed while the database is unreachable', async () => {
  const { close } = startListener('nowhere', { ...connection, database: 'no_such_database' });
  await close();
});
