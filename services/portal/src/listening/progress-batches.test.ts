import { randomUUID } from 'node:crypto';
import { api, buildPath } from '@escucho/contracts';
import { expect, it } from 'vitest';
import { createListener } from '../testing/listening.ts';
import { startPortal } from '../testing/portal.ts';

const portal = await startPortal();
const { app, db, startOtherProcess, send, articleId } = portal;
const processes = [app, await startOtherProcess()];
const { saveProgress } = api.listening;
const USERS = 20;

const createListeners = (count = USERS) =>
  Promise.all(Array.from({ length: count }, () => createListener(portal)));

const findEvents = (userId: string) =>
  db
    .selectFrom('listening_event')
    .select(['device_id', 'sequence', 'position'])
    .where('user_id', '=', userId)
    .execute();

const toBody = (slug: string, position: number) => ({
  track: articleId(slug),
  device: randomUUID(),
  sequence: 1,
  position,
  cause: 'pause',
});

it('[PLAY-05] concurrent entries of many users are saved, each with its own response', async () => {
  const listeners = await createListeners();
  const saves = listeners.map(async ({ device, findStarted }, index) => [
    await device.save('long-walk', index, 'pause'),
    (await findStarted()).positions,
  ]);
  expect(await Promise.all(saves)).toEqual(
    listeners.map((_, index) => [index, [[articleId('long-walk'), index]]]),
  );
});

it('[PLAY-05] concurrent entries of two devices for one track are logged; a latest one wins', async () => {
  const { id, device, createDevice, findStarted } = await createListener(portal);
  const other = createDevice();
  const sequences = [1, 2, 3, 4, 5];
  await Promise.all(
    sequences.flatMap((sequence) => [
      device.save('long-walk', 100 + sequence, 'tick', sequence),
      other.save('long-walk', 200 + sequence, 'tick', sequence),
    ]),
  );
  expect(await findEvents(id)).toHaveLength(10);
  const [[, position] = []] = (await findStarted()).positions;
  expect([105, 205]).toContain(position);
});

it('[PLAY-05] copies of an entry that arrive concurrently are stored once', async () => {
  const { id, device } = await createListener(portal);
  const copies = Array.from({ length: 8 }, () => device.save('long-walk', 100, 'pause', 7));
  expect(await Promise.all(copies)).toEqual(Array(8).fill(100));
  expect(await findEvents(id)).toEqual([{ device_id: device.id, sequence: 7, position: 100 }]);
});

it('an unknown track among concurrent entries is not found; the others are saved', async () => {
  const listeners = await createListeners();
  const saves = listeners.map(({ token }, index) => {
    const body = toBody('long-walk', index);
    return send(saveProgress, { token, body: index % 5 === 4 ? { ...body, track: randomUUID() } : body });
  });
  const statuses = (await Promise.all(saves)).map(({ statusCode }) => statusCode);
  expect(statuses).toEqual(listeners.map((_, index) => (index % 5 === 4 ? 404 : 200)));
});

it('an account that is being deleted delays and fails no entry of other users', async () => {
  const [deleted, ...others] = await createListeners();
  if (!deleted) throw new Error('unreachable');
  const saves = await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('users').where('id', '=', deleted.id).execute();
    const saved = others.map(({ device }) => device.save('long-walk', 50, 'pause'));
    const refused = send(saveProgress, { token: deleted.token, body: toBody('long-walk', 2) });
    const further = others.map(({ device }) => device.save('el-gato', 60, 'pause'));
    await Promise.all([...saved, ...further]);
    return [refused];
  });
  expect((await Promise.all(saves)).map(({ statusCode }) => statusCode)).toEqual([404]);
  for (const { findStarted } of others) expect((await findStarted()).totalDocs).toBe(2);
});

it('an entry that waits for a locked row does not stop the entries after it', async () => {
  const [locked, other] = await createListeners(2);
  if (!locked || !other) throw new Error('unreachable');
  await locked.device.save('long-walk', 1);
  const waiting = await db.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('listening_progress')
      .select('position')
      .where('user_id', '=', locked.id)
      .forUpdate()
      .execute();
    const save = locked.device.save('long-walk', 2);
    expect(await other.device.save('long-walk', 3)).toBe(3);
    return [save];
  });
  expect(await Promise.all(waiting)).toEqual([2]);
});

it('[PLAY-05] two processes save concurrent entries of the same users', async () => {
  const listeners = await createListeners();
  const save = (process: typeof app, { token }: { token: string }, slug: string) =>
    process.inject({
      method: 'POST',
      url: `/api${buildPath(saveProgress, {})}`,
      headers: { authorization: `Bearer ${token}` },
      payload: toBody(slug, 9),
    });
  const saves = processes.flatMap((process, number) =>
    (number === 0 ? listeners : listeners.toReversed()).flatMap((listener) => [
      save(process, listener, 'long-walk'),
      save(process, listener, 'el-gato'),
    ]),
  );
  const statuses = (await Promise.all(saves)).map(({ statusCode }) => statusCode);
  expect(statuses).toEqual(Array(4 * USERS).fill(200));
  const events = await Promise.all(listeners.map(({ id }) => findEvents(id)));
  expect(events.map(({ length }) => length)).toEqual(Array(USERS).fill(4));
});
