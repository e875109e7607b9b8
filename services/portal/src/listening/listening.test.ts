import { randomUUID } from 'node:crypto';
import { api, type ProgressCause } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const portal = await startPortal();
const { call, send, createUser, insertPlaylist, articleId, playlistId, clock, rowCounts, app } = portal;
const { saveProgress, findContinueListening, removeContinueListening, grantAudio } = api.listening;

/** Creates a user with a device, which numbers the entries that it sends. */
async function createListener(options: { subscribed?: boolean } = {}) {
  const user = await createUser(options);
  const createDevice = (token: string, id = randomUUID()) => {
    let sequence = 0;
    const save = (
      slug: string,
      position: number,
      cause: ProgressCause = 'tick',
      entrySequence = ++sequence,
    ) =>
      call(saveProgress, token, {
        body: { track: articleId(slug), device: id, sequence: entrySequence, position, cause },
      }).then(({ progress }) => progress);
    return { id, save };
  };
  const findStarted = async (query = {}) => {
    const { docs, totalDocs } = await call(findContinueListening, user.token, { query });
    return { docs, totalDocs, positions: docs.map(({ _id, progress }) => [_id, progress]) };
  };
  return {
    ...user,
    createDevice: () => createDevice(user.token),
    device: createDevice(user.token),
    findStarted,
  };
}

describe('saving progress', () => {
  it('[PLAY-05] a pause adds the track to Continue listening, with every field', async () => {
    const { device, findStarted } = await createListener({ subscribed: true });
    expect(await device.save('long-walk', 1234.5, 'pause')).toBe(1234.5);
    const { docs, totalDocs } = await findStarted();
    const picture = expect.stringMatching(/^\/media\/.*\.(avif|webp)\?expires=/);
    expect(totalDocs).toBe(1);
    expect(docs).toEqual([
      {
        _id: articleId('long-walk'),
        title: 'The long-walk',
        duration: 4000,
        audio: expect.stringMatching(/^\/media\/.*\.mp3\?expires=/),
        image: picture,
        artwork: picture,
        language: 'en',
        level: 'B1',
        narrator: { name: 'Amelia', image: picture },
        progress: 1234.5,
        kind: 'audiobook',
        topic: 'travel',
        loudness: -18,
        like: false,
        heardOn: null,
      },
    ]);
  });

  it('[PLAY-05] progress contains the kind of the device that saved it', async () => {
    const { token, findStarted } = await createListener();
    const savePosition = async (deviceKind: 'phone' | 'computer', cause: ProgressCause, position: number) => {
      const entry = { track: articleId('el-gato'), device: randomUUID(), sequence: 1, position, cause };
      await call(saveProgress, token, { body: { ...entry, deviceKind } });
      return (await findStarted()).docs.map(({ heardOn, progress }) => [heardOn, progress]);
    };
    expect(await savePosition('phone', 'pause', 60)).toEqual([['phone', 60]]);
    expect(await savePosition('computer', 'play', 0)).toEqual([['phone', 60]]);
    expect(await savePosition('computer', 'tick', 40)).toEqual([['computer', 40]]);
  });

  it('[PLAY-05] refuses an unknown kind of device and stores nothing', async () => {
    const { token } = await createListener();
    const before = await rowCounts();
    const entry = {
      track: articleId('el-gato'),
      device: randomUUID(),
      sequence: 1,
      position: 1,
      cause: 'tick',
    };
    const response = await send(saveProgress, { token, body: { ...entry, deviceKind: 'toaster' } });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.fields).toMatchObject([{ path: 'body.deviceKind' }]);
    expect(await rowCounts()).toEqual(before);
  });

  it('[PLAY-05] an entry sent twice counts once', async () => {
    const { device, findStarted } = await createListener();
    await device.save('long-walk', 100, 'tick', 1);
    await device.save('long-walk', 200, 'tick', 2);
    const before = await rowCounts();
    expect(await device.save('long-walk', 100, 'tick', 1)).toBe(200);
    expect(await device.save('long-walk', 999, 'pause', 2)).toBe(200);
    expect(await rowCounts()).toEqual(before);
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), 200]]);
  });

  it('[PLAY-05] a sequence number is used once per device, across tracks', async () => {
    const { device, findStarted } = await createListener();
    await device.save('el-gato', 10, 'pause', 1);
    expect(await device.save('long-walk', 900, 'pause', 1)).toBe(0);
    expect((await findStarted()).positions).toEqual([[articleId('el-gato'), 10]]);
  });

  it('[PLAY-05] an earlier entry of a device never overwrites a newer one', async () => {
    const { device, createDevice, findStarted } = await createListener();
    const other = createDevice();
    await device.save('long-walk', 500, 'tick', 10);
    await other.save('long-walk', 700, 'tick', 1);
    expect(await device.save('long-walk', 300, 'tick', 9)).toBe(700);
    expect(await device.save('long-walk', 310, 'ended', 8)).toBe(700);
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), 700]]);
    expect(await device.save('long-walk', 800, 'tick', 11)).toBe(800);
  });

  it('[PLAY-05] a late entry for another track counts', async () => {
    const { device } = await createListener();
    await device.save('long-walk', 500, 'pause', 10);
    expect(await device.save('el-gato', 30, 'pause', 9)).toBe(30);
  });

  it('[PLAY-05] of concurrent entries the one with the highest sequence wins', async () => {
    const { device, findStarted } = await createListener();
    const order = [5, 3, 8, 1, 7, 2, 6, 4];
    await Promise.all(order.map((sequence) => device.save('long-walk', sequence * 100, 'tick', sequence)));
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), 800]]);
  });

  it('[PLAY-05] starting at 0:00 keeps another device’s position; a seek to 0:00 does not', async () => {
    const { device, createDevice } = await createListener();
    await device.save('long-walk', 600, 'pause');
    const other = createDevice();
    expect(await other.save('long-walk', 0, 'play')).toBe(600);
    expect(await other.save('long-walk', 1, 'tick')).toBe(600);
    expect(await other.save('long-walk', 0, 'seek')).toBe(0);
  });

  it('[PLAY-05] a device that resumes at its own position learns the other device’s', async () => {
    const { token } = await createListener();
    const [computer, phone] = [randomUUID(), randomUUID()];
    let sequence = 0;
    const savePosition = (device: string, cause: ProgressCause, position: number, changes = {}) => {
      sequence += 1;
      const body = { track: articleId('long-walk'), device, sequence, position, cause, ...changes };
      return call(saveProgress, token, { body });
    };
    const track = articleId('long-walk');
    await savePosition(computer, 'pause', 100);
    expect(await savePosition(phone, 'pause', 600, { deviceKind: 'phone' })).toEqual({
      track,
      progress: 600,
    });
    const expected = { track, progress: 600, heardOn: 'phone' };
    expect(await savePosition(computer, 'play', 100)).toEqual(expected);
    expect(await savePosition(computer, 'play', 100)).toEqual(expected);
    expect(await savePosition(computer, 'seek', 600)).toEqual({ track, progress: 600 });
    expect(await savePosition(phone, 'play', 600)).toEqual({ track, progress: 600 });
  });

  it('[PLAY-05] offline entries are logged but do not overwrite newer progress', async () => {
    const { token, findStarted } = await createListener();
    const track = articleId('long-walk');
    const savePosition = (device: string, position: number, sequence: number, changes = {}) =>
      call(saveProgress, token, { body: { track, device, sequence, position, cause: 'pause', ...changes } });
    const [computer, phone] = [randomUUID(), randomUUID()];
    await savePosition(phone, 100, 1);
    clock.advance(600);
    await savePosition(computer, 600, 1);
    clock.advance(900);
    const before = await rowCounts();
    // By a clock that is years wrong.
    const at = '1998-01-01T00:00:00.000Z';
    const delayed = await savePosition(phone, 300, 2, { at, waited: 1440 });
    expect(delayed).toEqual({ track, progress: 600, heardOn: null });
    expect((await findStarted()).positions).toEqual([[track, 600]]);
    const { listening_event: entries = 0, ...others } = await rowCounts();
    expect({ ...others, listening_event: entries - 1 }).toEqual(before);
    expect((await savePosition(phone, 310, 3, { waited: 0 })).progress).toBe(310);
  });

  it.each([-1, 'long', null])('refuses a wait of %s and stores nothing', async (waited) => {
    const { token } = await createListener();
    const before = await rowCounts();
    const entry = {
      track: articleId('el-gato'),
      device: randomUUID(),
      sequence: 1,
      position: 1,
      cause: 'tick',
    };
    const response = await send(saveProgress, { token, body: { ...entry, waited } });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.fields).toMatchObject([{ path: 'body.waited' }]);
    expect(await rowCounts()).toEqual(before);
  });

  // The entries of two devices in order of arrival, with the device's sequence number where it matters.
  type DeviceEntry = ['one' | 'two', ProgressCause, position: number, sequence?: number];
  it.each<[string, DeviceEntry[], number]>([
    [
      'the last entry wins',
      [
        ['one', 'tick', 100],
        ['two', 'tick', 200],
        ['one', 'tick', 105],
      ],
      105,
    ],
    [
      'a pause of one does not outweigh playback of the other',
      [
        ['one', 'pause', 300],
        ['two', 'tick', 310],
        ['two', 'tick', 315],
      ],
      315,
    ],
    [
      'a start at 0 does not overwrite the other’s position',
      [
        ['one', 'tick', 600],
        ['two', 'play', 0],
        ['two', 'tick', 4],
      ],
      600,
    ],
    [
      'a start at 0 overwrites it after some seconds of playback',
      [
        ['one', 'tick', 600],
        ['two', 'play', 0],
        ['two', 'tick', 4],
        ['two', 'tick', 8],
      ],
      8,
    ],
    [
      'one plays on after the other seeks to 0',
      [
        ['one', 'tick', 600],
        ['two', 'seek', 0],
        ['one', 'hide', 601],
      ],
      601,
    ],
    [
      'an older entry of a device that was offline is ignored',
      [
        ['one', 'tick', 50, 9],
        ['two', 'pause', 700],
        ['one', 'tick', 40, 8],
      ],
      700,
    ],
    [
      'only the newest entry of a device that was offline counts',
      [
        ['one', 'tick', 50, 7],
        ['two', 'pause', 700],
        ['one', 'pause', 90, 9],
        ['one', 'tick', 60, 8],
      ],
      90,
    ],
    [
      'a track that ended starts at 0 on both',
      [
        ['one', 'tick', 800],
        ['two', 'ended', 1000],
        ['two', 'tick', 3],
      ],
      3,
    ],
    [
      'one plays on after the track ended on the other',
      [
        ['one', 'tick', 800],
        ['two', 'ended', 1000],
        ['one', 'tick', 805],
      ],
      805,
    ],
    [
      'one plays on after the other skips',
      [
        ['one', 'tick', 80],
        ['two', 'skip', 90],
        ['one', 'tick', 85],
      ],
      85,
    ],
    [
      'an older entry that is sent twice is ignored',
      [
        ['one', 'tick', 80, 1],
        ['two', 'tick', 90],
        ['one', 'tick', 80, 1],
      ],
      90,
    ],
    [
      'positions far apart alternate',
      [
        ['one', 'tick', 500],
        ['two', 'tick', 100],
        ['one', 'tick', 505],
        ['two', 'tick', 105],
      ],
      105,
    ],
  ])('[PLAY-05] with two devices, %s', async (_name, entries, expected) => {
    const { device, createDevice, findStarted } = await createListener();
    const devices = { one: device, two: createDevice() };
    for (const [name, cause, position, ...sequence] of entries)
      await devices[name].save('long-walk', position, cause, ...sequence);
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), expected]]);
  });

  it.each(['ended', 'skip'] as const)(
    '[PLAY-05] %s removes the track; playing it again adds it',
    async (cause) => {
      const { device, findStarted } = await createListener();
      await device.save('el-gato', 50, 'pause');
      await device.save('el-gato', 90, cause);
      expect((await findStarted()).positions).toEqual([]);
      await device.save('el-gato', 40, 'pause');
      expect((await findStarted()).positions).toEqual([[articleId('el-gato'), 40]]);
    },
  );

  it('[PLAY-05] a track that ended starts at 0', async () => {
    const { device } = await createListener();
    expect(await device.save('el-gato', 100, 'ended')).toBe(0);
  });

  it('an unknown track is not found and nothing is stored', async () => {
    const { token } = await createListener();
    const before = await rowCounts();
    const body = { track: randomUUID(), device: randomUUID(), sequence: 1, position: 1, cause: 'tick' };
    const response = await send(saveProgress, { token, body });
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
    expect(await rowCounts()).toEqual(before);
  });

  it('[PLAY-05] users do not share progress, even on the same device', async () => {
    const [one, two] = [await createListener(), await createListener()];
    const entry = {
      track: articleId('el-gato'),
      device: one.device.id,
      sequence: 1,
      cause: 'pause',
    } as const;
    await call(saveProgress, one.token, { body: { ...entry, position: 10 } });
    await call(saveProgress, two.token, { body: { ...entry, position: 20 } });
    expect((await one.findStarted()).positions).toEqual([[articleId('el-gato'), 10]]);
    expect((await two.findStarted()).positions).toEqual([[articleId('el-gato'), 20]]);
  });
});

describe('continue listening', () => {
  it('[PLAY-05] is listed newest first, in pages', async () => {
    const { device, findStarted } = await createListener();
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

  it('[PLAY-05] removing hides the track and keeps the position', async () => {
    const { device, findStarted, token } = await createListener();
    await device.save('long-walk', 600, 'pause');
    const params = { id: articleId('long-walk') };
    expect(await call(removeContinueListening, token, { params })).toEqual({ _id: params.id });
    expect(await call(removeContinueListening, token, { params })).toEqual({ _id: params.id });
    expect((await findStarted()).positions).toEqual([]);
    const input = { params: { id: playlistId('latest') }, query: {} };
    const { docs } = await call(api.playlists.findPlaylistContent, token, input);
    expect(docs.find(({ _id }) => _id === params.id)?.progress).toBe(600);
  });

  it('[PLAY-05] a track never played cannot be removed', async () => {
    const [one, two] = [await createListener(), await createListener()];
    await one.device.save('el-gato', 10, 'pause');
    const response = await send(removeContinueListening, {
      token: two.token,
      params: { id: articleId('el-gato') },
    });
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
    expect((await one.findStarted()).positions).toHaveLength(1);
  });

  it('[PLAY-04] subscribers get all URLs, others that of the first track of ‘Latest’', async () => {
    for (const [subscribed, expected] of [
      [true, [true, true]],
      [false, [true, false]],
    ] as const) {
      const { device, findStarted } = await createListener({ subscribed });
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
  ])('[PLAY-04] %s', async (_name, { token }, slug, from, status) => {
    const params = { id: articleId(slug) };
    const response = await send(grantAudio, { token, params, query: from ? { playlist: from } : {} });
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response.json().error.code).toBe('subscription_required');
    else expect((await app.inject(response.json().url)).statusCode).toBe(200);
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
