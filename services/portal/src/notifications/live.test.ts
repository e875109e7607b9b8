import { api } from '@escucho/contracts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { publishNotification } from '../index.ts';
import { startPortal } from '../testing/portal.ts';

const { app, call, connection, db, createUser, clock } = await startPortal({
  streams: { perUser: 2, total: 100, heartbeatMs: 60_000, maxHeartbeats: 10 },
});
const base = await app.listen({ port: 0, host: '127.0.0.1' });

const words = (number: number) => ({
  ...{
    titleEn: `News ${number}`,
    bodyEn: 'Something new',
    titleEs: `Novedad ${number}`,
    bodyEs: 'Algo nuevo',
  },
});

/** Writes a notification as the command does, over a connection of its own. */
const notify = async (number: number) => {
  clock.advance(1);
  return (await publishNotification({ connection, text: words(number), clock: clock.now })).id;
};

const loseConnection = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'portal notifications' and datname = ${connection.database}`.execute(db);

/** Opens the stream; `next` returns the next event that is no heartbeat, undefined at its end. */
async function openStream(token: string, language = 'en') {
  const headers = {
    authorization: `Bearer ${token}`,
    'accept-language': language,
    'accept-encoding': 'gzip',
  };
  const response = await fetch(`${base}/api/notifications/stream`, { headers });
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  async function next(): Promise<Record<string, string> | undefined> {
    for (;;) {
      const end = read.indexOf('\n\n');
      const event = read.slice(0, end);
      if (end >= 0) read = read.slice(end + 2);
      if (end >= 0 && !event.startsWith(':')) {
        return Object.fromEntries(event.split('\n').map((line) => line.split(/: (.*)/s)));
      }
      if (end >= 0) continue;
      const { done, value } = (await body?.read()) ?? { done: true, value: undefined };
      if (done) return undefined;
      read += value;
    }
  }
  return { response, next };
}

describe('the stream of notifications', () => {
  it('[CAT-07] sends new ones to open streams in each user’s language', async () => {
    const [ana, luis] = [await createUser(), await createUser()];
    const pages = [await openStream(ana.token), await openStream(luis.token, 'es-PE,es;q=0.9')];
    expect(pages.map(({ response }) => [response.status, response.headers.get('content-type')])).toEqual([
      [200, 'text/event-stream'],
      [200, 'text/event-stream'],
    ]);
    const id = await notify(1);
    const events = await Promise.all(pages.map(({ next }) => next()));
    expect(events.map((event) => [event?.event, event?.id])).toEqual([
      ['notification', id],
      ['notification', id],
    ]);
    const { docs } = await call(api.notifications.findNotifications, ana.token, { query: { limit: 1 } });
    expect(events.map((event) => JSON.parse(event?.data ?? ''))).toEqual([
      docs[0],
      { ...docs[0], title: 'Novedad 1', body: 'Algo nuevo' },
    ]);
    await notify(2);
    expect(JSON.parse((await pages[0]?.next())?.data ?? '')).toMatchObject({ title: 'News 2' });
  });

  it('[CAT-07] sends those missed during a lost connection, each once', async () => {
    const { token } = await createUser();
    const { next } = await openStream(token);
    await notify(3);
    expect(JSON.parse((await next())?.data ?? '').title).toBe('News 3');
    await loseConnection();
    await notify(4);
    await notify(5);
    const titles = [await next(), await next()].map((event) => JSON.parse(event?.data ?? '').title);
    expect(titles).toEqual(['News 4', 'News 5']);
  });

  it('[CAT-07] sends those missed that a process with a slow clock publishes', async () => {
    const { token } = await createUser();
    const { next } = await openStream(token);
    await notify(6);
    expect(JSON.parse((await next())?.data ?? '').title).toBe('News 6');
    await loseConnection();
    const slowClock = () => new Date(clock.now().getTime() - 60_000);
    await publishNotification({ connection, text: words(7), clock: slowClock });
    expect(JSON.parse((await next())?.data ?? '').title).toBe('News 7');
  });

  it('[CAT-07] refuses HEAD with 405 and opens no stream', async () => {
    const { token } = await createUser();
    const headers = { authorization: `Bearer ${token}` };
    for (let count = 0; count < 2; count += 1) {
      const response = await fetch(`${base}/api/notifications/stream`, { method: 'HEAD', headers });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    }
    expect((await openStream(token)).response.status).toBe(200);
  });

  it('[CAT-07] limits the streams of a user', async () => {
    const { token } = await createUser();
    const responses = [await openStream(token), await openStream(token), await openStream(token)].map(
      ({ response }) => response,
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  it('[API-02] requires a signed-in user', async () => {
    const { response } = await openStream('not.a.token');
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json']);
  });
});

describe('publishing a notification', () => {
  it.each([
    ['a language is missing', { ...words(9), titleEs: undefined }, 'titleEs'],
    ['a text is empty', { ...words(9), bodyEn: '  ' }, 'bodyEn'],
    ['a title is too long', { ...words(9), titleEn: 'a'.repeat(121) }, 'titleEn'],
    ['a body has a line end', { ...words(9), bodyEs: 'a\nb' }, 'bodyEs'],
  ])('[CAT-07] publishes nothing when %s', async (_name, given, field) => {
    await expect(publishNotification({ connection, text: given })).rejects.toThrow(`Look at: ${field}.`);
    const { token } = await createUser();
    const { docs } = await call(api.notifications.findNotifications, token, { query: { limit: 1 } });
    expect(docs[0]?.title).toBe('News 6');
  });
});

it('[CAT-07] a closing server ends its streams without waiting', async () => {
  const { token } = await createUser();
  const { next } = await openStream(token);
  await app.close();
  expect(await next()).toBeUndefined();
});
