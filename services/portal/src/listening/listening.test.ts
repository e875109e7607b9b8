import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { createListener } from '../testing/listening.ts';
import { startPortal } from '../testing/portal.ts';

const portal = await startPortal();
const { call, send, createUser, insertPlaylist, articleId, playlistId, clock, app } = portal;
const { grantAudio } = api.listening;

describe('continue listening', () => {
  it('[PLAY-05] is listed newest first, in pages', async () => {
    const { device, findStarted } = await createListener(portal);
    for (const slug of ['night-ferry', 'el-gato', 'long-walk']) {
      clock.advance(1);
      await device.save(slug, 10, 'pause');
    }
    clock.advance(1);
    await device.save('night-ferry', 11, 'pause');
    const order = ['night-ferry', 'long-walk', 'el-gato'].map(articleId);
    const ids = async (query: object) => {
      const { docs, totalDocs } = await findStarted(query);
      return [docs.map(({ _id }) => _id), totalDocs];
    };
    expect(await ids({})).toEqual([order, 3]);
    expect(await ids({ page: 2, limit: 2 })).toEqual([order.slice(2), 3]);
    expect(await ids({ page: 3, limit: 2 })).toEqual([[], 3]);
  });

  it('[PLAY-05] a skip hides the track and keeps the position', async () => {
    const { device, findStarted, token } = await createListener(portal);
    await device.save('long-walk', 600, 'pause');
    await device.save('long-walk', 600, 'skip');
    expect((await findStarted()).positions).toEqual([]);
    const input = { params: { id: playlistId('latest') }, query: {} };
    const { docs } = await call(api.playlists.findPlaylistContent, token, input);
    expect(docs.find(({ _id }) => _id === articleId('long-walk'))?.progress).toBe(600);
  });

  it('[PLAY-04] subscribers get all URLs, others that of the first track of ‘Latest’', async () => {
    for (const [subscribed, expected] of [
      [true, [true, true]],
      [false, [true, false]],
    ] as const) {
      const { device, findStarted } = await createListener(portal, { subscribed });
      await device.save('el-gato', 10, 'pause');
      clock.advance(1);
      await device.save('night-ferry', 10, 'pause');
      expect((await findStarted()).docs.map(({ audio }) => audio !== null)).toEqual(expected);
    }
  });
});

describe('a signed audio URL', async () => {
  const subscriber = await createUser({ subscribed: true });
  const free = await createUser();
  const own = await insertPlaylist(free.id, 'Latest articles', ['el-gato', 'night-ferry']);
  const others = await insertPlaylist(subscriber.id, 'Latest articles', ['el-gato']);
  const learner = await createUser();
  const body = { level: 'A2', learningLanguage: 'en' } as const;
  await call(api.settings.changeSettings, learner.token, { body });

  it.each([
    ['a subscriber, from no list', subscriber, 'el-gato', undefined, 200],
    ['a subscriber, from a list', subscriber, 'el-gato', playlistId('travel'), 200],
    ['anyone, the first of ‘Latest articles’', free, 'night-ferry', playlistId('latest'), 200],
    ['anyone, the same from continue listening', free, 'night-ferry', undefined, 200],
    ['anyone, its second', free, 'green-door', playlistId('latest'), 403],
    ['anyone, its second from continue listening', free, 'green-door', undefined, 403],
    ['anyone, the first of another system list', free, 'green-door', playlistId('travel'), 403],
    ['anyone, the first of ‘Latest’ from another list', free, 'night-ferry', playlistId('travel'), 403],
    ['anyone, from an own list named ‘Latest’', free, 'el-gato', own, 403],
    ['anyone, from another’s list named ‘Latest’', free, 'el-gato', others, 403],
    ['anyone, from an unknown list', free, 'night-ferry', randomUUID(), 403],
    ['a learner, the newest at the level', learner, 'green-door', undefined, 200],
    [
      'a learner, the same from a list that shows it as free',
      learner,
      'green-door',
      playlistId('travel'),
      200,
    ],
    ['a learner, the first of ‘Latest articles’', learner, 'night-ferry', playlistId('latest'), 200],
    ['a learner, another level', learner, 'long-walk', undefined, 403],
    ['a learner, another language', learner, 'el-gato', undefined, 403],
  ])('[PLAY-04] %s', async (_name, { token }, slug, from, status) => {
    const params = { id: articleId(slug) };
    const response = await send(grantAudio, { token, params, query: from ? { playlist: from } : {} });
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response.json().error.code).toBe('subscription_required');
    else expect((await app.inject(response.json().url)).statusCode).toBe(200);
  });

  it('[PLAY-04] is given to each of several learners who ask at once', async () => {
    const [spanish, english] = [await createUser(), await createUser()];
    await call(api.settings.changeSettings, spanish.token, {
      body: { level: 'B1', learningLanguage: 'es' },
    });
    await call(api.settings.changeSettings, english.token, {
      body: { level: 'B1', learningLanguage: 'en' },
    });
    const learners = [
      [learner, 'green-door'],
      [spanish, 'el-gato'],
      [english, 'long-walk'],
    ] as const;
    const grant = async (token: string, slug: string) =>
      (await send(grantAudio, { token, params: { id: articleId(slug) }, query: {} })).statusCode;
    const grants = learners.flatMap(([{ token }]) => learners.map(([, slug]) => grant(token, slug)));
    expect(await Promise.all(grants)).toEqual([200, 403, 403, 403, 200, 403, 403, 403, 200]);
  });

  it('[PLAY-04] is valid until its expiry', async () => {
    const { url, expiresAt } = await call(grantAudio, subscriber.token, {
      params: { id: articleId('long-walk') },
      query: {},
    });
    const lifetime = (Date.parse(expiresAt) - clock.now().getTime()) / 1000;
    expect(lifetime).toBeGreaterThanOrEqual(3 * 4000);
    expect(lifetime).toBeLessThan(3 * 4000 + 300);
    clock.advance(lifetime - 1);
    expect((await app.inject(url)).statusCode).toBe(200);
    clock.advance(1);
    const expired = await app.inject(url);
    expect([expired.statusCode, expired.json().error.code]).toEqual([403, 'link_expired']);
  });
});
