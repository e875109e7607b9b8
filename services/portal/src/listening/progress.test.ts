import { randomUUID } from 'node:crypto';
import { api, type ProgressCause } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { createListener } from '../testing/listening.ts';
import { startPortal } from '../testing/portal.ts';

const portal = await startPortal();
const { call, send, articleId, clock, rowCounts } = portal;
const { saveProgress } = api.listening;

/** Sends an entry with an invalid field, and expects that it is refused and nothing is stored. */
async function expectRefused(field: string, value: unknown): Promise<void> {
  const { token } = await createListener(portal);
  const before = await rowCounts();
  const entry = {
    track: articleId('el-gato'),
    device: randomUUID(),
    sequence: 1,
    position: 1,
    cause: 'tick',
  };
  const response = await send(saveProgress, { token, body: { ...entry, [field]: value } });
  expect(response.statusCode).toBe(400);
  expect(response.json().error.fields).toMatchObject([{ path: `body.${field}` }]);
  expect(await rowCounts()).toEqual(before);
}

describe('saving progress', () => {
  it('[PLAY-05] a pause adds the track to Continue listening, with every field', async () => {
    const { device, findStarted } = await createListener(portal, { subscribed: true });
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
        deviceKind: null,
      },
    ]);
  });

  it('[PLAY-05] progress contains the kind of the device that saved it', async () => {
    const { token, findStarted } = await createListener(portal);
    const savePosition = async (deviceKind: 'phone' | 'computer', cause: ProgressCause, position: number) => {
      const entry = { track: articleId('el-gato'), device: randomUUID(), sequence: 1, position, cause };
      await call(saveProgress, token, { body: { ...entry, deviceKind } });
      return (await findStarted()).docs.map(({ deviceKind, progress }) => [deviceKind, progress]);
    };
    expect(await savePosition('phone', 'pause', 60)).toEqual([['phone', 60]]);
    expect(await savePosition('computer', 'play', 0)).toEqual([['phone', 60]]);
    expect(await savePosition('computer', 'tick', 40)).toEqual([['computer', 40]]);
  });

  it('[PLAY-05] refuses an unknown kind of device and stores nothing', async () => {
    await expectRefused('deviceKind', 'toaster');
  });

  it('[PLAY-05] an entry sent twice counts once', async () => {
    const { device, findStarted } = await createListener(portal);
    await device.save('long-walk', 100, 'tick', 1);
    await device.save('long-walk', 200, 'tick', 2);
    const before = await rowCounts();
    expect(await device.save('long-walk', 100, 'tick', 1)).toBe(200);
    expect(await device.save('long-walk', 999, 'pause', 2)).toBe(200);
    expect(await rowCounts()).toEqual(before);
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), 200]]);
  });

  it('[PLAY-05] a sequence number is used once per device, across tracks', async () => {
    const { device, findStarted } = await createListener(portal);
    await device.save('el-gato', 10, 'pause', 1);
    expect(await device.save('long-walk', 900, 'pause', 1)).toBe(0);
    expect((await findStarted()).positions).toEqual([[articleId('el-gato'), 10]]);
  });

  it('[PLAY-05] an earlier entry of a device never overwrites a newer one', async () => {
    const { device, createDevice, findStarted } = await createListener(portal);
    const other = createDevice();
    await device.save('long-walk', 500, 'tick', 10);
    await other.save('long-walk', 700, 'tick', 1);
    expect(await device.save('long-walk', 300, 'tick', 9)).toBe(700);
    expect(await device.save('long-walk', 310, 'ended', 8)).toBe(700);
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), 700]]);
    expect(await device.save('long-walk', 800, 'tick', 11)).toBe(800);
  });

  it('[PLAY-05] a late entry for another track counts', async () => {
    const { device } = await createListener(portal);
    await device.save('long-walk', 500, 'pause', 10);
    expect(await device.save('el-gato', 30, 'pause', 9)).toBe(30);
  });

  it('[PLAY-05] of concurrent entries the one with the highest sequence wins', async () => {
    const { device, findStarted } = await createListener(portal);
    const order = [5, 3, 8, 1, 7, 2, 6, 4];
    await Promise.all(order.map((sequence) => device.save('long-walk', sequence * 100, 'tick', sequence)));
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), 800]]);
  });

  it('[PLAY-05] starting at 0:00 keeps another device’s position; a seek to 0:00 does not', async () => {
    const { device, createDevice } = await createListener(portal);
    await device.save('long-walk', 600, 'pause');
    const other = createDevice();
    expect(await other.save('long-walk', 0, 'play')).toBe(600);
    expect(await other.save('long-walk', 1, 'tick')).toBe(600);
    expect(await other.save('long-walk', 0, 'seek')).toBe(0);
  });

  it('[PLAY-05] a device that resumes at its own position learns the other device’s', async () => {
    const { token } = await createListener(portal);
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
    const expected = { track, progress: 600, deviceKind: 'phone' };
    expect(await savePosition(computer, 'play', 100)).toEqual(expected);
    expect(await savePosition(computer, 'play', 100)).toEqual(expected);
    expect(await savePosition(computer, 'seek', 600)).toEqual({ track, progress: 600 });
    expect(await savePosition(phone, 'play', 600)).toEqual({ track, progress: 600 });
  });

  it('[PLAY-05] offline entries are logged but do not overwrite newer progress', async () => {
    const { token, findStarted } = await createListener(portal);
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
    expect(delayed).toEqual({ track, progress: 600, deviceKind: null });
    expect((await findStarted()).positions).toEqual([[track, 600]]);
    const { listening_event: entries = 0, ...others } = await rowCounts();
    expect({ ...others, listening_event: entries - 1 }).toEqual(before);
    expect((await savePosition(phone, 310, 3, { waited: 0 })).progress).toBe(310);
  });

  it('[PLAY-05] an offline entry from before a skip does not list the track again', async () => {
    const { token, findStarted } = await createListener(portal);
    const [computer, phone] = [randomUUID(), randomUUID()];
    const save = (device: string, sequence: number, cause: ProgressCause, waited = 0) =>
      call(saveProgress, token, {
        body: { track: articleId('long-walk'), device, sequence, position: 100, cause, waited },
      });
    await save(computer, 1, 'pause');
    clock.advance(600);
    await save(computer, 2, 'skip');
    clock.advance(60);
    await save(phone, 1, 'pause', 300);
    expect((await findStarted()).totalDocs).toBe(0);
  });

  /** Creates a user with devices, each of which saves a pause that waited for some seconds. */
  async function createOfflineListener() {
    const { token, findStarted } = await createListener(portal);
    const createDevice = () => {
      const device = randomUUID();
      let sequence = 0;
      return (slug: string, position: number, waited: number) => {
        const entry = {
          track: articleId(slug),
          device,
          sequence: ++sequence,
          position,
          cause: 'pause',
        } as const;
        return call(saveProgress, token, { body: { ...entry, waited } });
      };
    };
    const findHistory = async () => {
      const { docs } = await call(api.listening.findHistory, token, { query: {} });
      const now = clock.now().getTime();
      return docs.map(({ _id, listenedAt }) => [_id, (now - Date.parse(listenedAt)) / 1000]);
    };
    return { createDevice, findStarted, findHistory };
  }

  it('[PLAY-05] [CAT-05] a late entry is dated when it was made', async () => {
    const { createDevice, findStarted, findHistory } = await createOfflineListener();
    const [phone, computer] = [createDevice(), createDevice()];
    await phone('night-ferry', 10, 0);
    clock.advance(1200);
    await computer('long-walk', 100, 0);
    clock.advance(300);
    await phone('night-ferry', 50, 900);
    await phone('el-gato', 60, 600);
    expect((await findStarted()).positions).toEqual([
      [articleId('long-walk'), 100],
      [articleId('el-gato'), 60],
      [articleId('night-ferry'), 50],
    ]);
    expect(await findHistory()).toEqual([
      [articleId('long-walk'), 300],
      [articleId('el-gato'), 600],
      [articleId('night-ferry'), 900],
    ]);
  });

  it('[PLAY-05] [CAT-05] a late entry dates no track back', async () => {
    const { createDevice, findHistory } = await createOfflineListener();
    const [phone, computer] = [createDevice(), createDevice()];
    await phone('long-walk', 100, 0);
    clock.advance(600);
    expect((await phone('long-walk', 200, 1200)).progress).toBe(200);
    expect(await findHistory()).toEqual([[articleId('long-walk'), 600]]);
    expect((await computer('long-walk', 300, 900)).progress).toBe(200);
  });

  it('[PLAY-05] a late entry does not outweigh a newer one that another device sends after it', async () => {
    const { createDevice, findHistory } = await createOfflineListener();
    const [computer, phone, tablet] = [createDevice(), createDevice(), createDevice()];
    await computer('long-walk', 100, 0);
    clock.advance(1200);
    expect((await phone('long-walk', 200, 900)).progress).toBe(200);
    clock.advance(60);
    expect((await tablet('long-walk', 300, 600)).progress).toBe(300);
    expect(await findHistory()).toEqual([[articleId('long-walk'), 600]]);
  });

  it.each([-1, 'long', null])('refuses a wait of %s and stores nothing', async (waited) => {
    await expectRefused('waited', waited);
  });

  it.each([-1, 604_801, '5', null])(
    'refuses a time played of %s and stores nothing',
    async (secondsPlayed) => {
      await expectRefused('secondsPlayed', secondsPlayed);
    },
  );

  it.each(['ended', 'skip'] as const)(
    '[PLAY-05] %s removes the track; playing it again adds it',
    async (cause) => {
      const { device, findStarted } = await createListener(portal);
      await device.save('el-gato', 50, 'pause');
      await device.save('el-gato', 90, cause);
      expect((await findStarted()).positions).toEqual([]);
      await device.save('el-gato', 40, 'pause');
      expect((await findStarted()).positions).toEqual([[articleId('el-gato'), 40]]);
    },
  );

  it('[PLAY-05] a track that ended starts at 0', async () => {
    const { device } = await createListener(portal);
    expect(await device.save('el-gato', 100, 'ended')).toBe(0);
  });

  it('an unknown track is not found and nothing is stored', async () => {
    const { token } = await createListener(portal);
    const before = await rowCounts();
    const body = { track: randomUUID(), device: randomUUID(), sequence: 1, position: 1, cause: 'tick' };
    const response = await send(saveProgress, { token, body });
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
    expect(await rowCounts()).toEqual(before);
  });

  it('[PLAY-05] users do not share progress, even on the same device', async () => {
    const [one, two] = [await createListener(portal), await createListener(portal)];
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
