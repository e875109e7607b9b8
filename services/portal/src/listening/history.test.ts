import { randomUUID } from 'node:crypto';
import { api, type ProgressCause } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { call, send, createUser, articleId, playlistId, clock, issuer } = await startPortal();
const { findHistory, clearHistory, removeFromHistory, restoreToHistory, findStatistics } = api.listening;
const DAY = 86_400;

/** Creates a user with a device that plays. */
async function createListener(options: { subscribed?: boolean } = {}) {
  const { subject } = await createUser(options);
  const token = await issuer.access(subject, { lifetime: 90 * DAY });
  function createDevice() {
    const device = randomUUID();
    let sequence = 0;
    return (slug: string, cause: ProgressCause, position: number, at?: Date, secondsPlayed?: number) => {
      const entry = { track: articleId(slug), device, sequence: ++sequence, position, cause };
      const body = { ...entry, ...(secondsPlayed !== undefined && { secondsPlayed }) };
      return call(api.listening.saveProgress, token, {
        body: { ...body, ...(at && { at: at.toISOString() }) },
      });
    };
  }
  const save = createDevice();
  /** Plays a track from the beginning for some seconds. */
  async function listen(slug: string, seconds: number, end: ProgressCause = 'pause') {
    await save(slug, 'play', 0);
    clock.advance(seconds - 1);
    await save(slug, 'tick', seconds - 1);
    clock.advance(1);
    await save(slug, end, seconds);
  }
  /** Sends a pause from another device, which was offline for some seconds. */
  const sendLate = (slug: string, waited: number) =>
    call(api.listening.saveProgress, token, {
      body: {
        track: articleId(slug),
        device: randomUUID(),
        sequence: 1,
        position: 40,
        cause: 'pause',
        waited,
      },
    });
  const history = async (query = {}) => {
    const { docs, totalDocs } = await call(findHistory, token, { query });
    return { docs, totalDocs, ids: docs.map(({ _id }) => _id) };
  };
  const getStatistics = (timeZone?: string) =>
    call(findStatistics, token, { query: timeZone ? { timeZone } : {} });
  return { token, save, createDevice, listen, sendLate, history, getStatistics };
}

describe('history', () => {
  it('[CAT-05] lists listened tracks, newest first, in pages, with every field', async () => {
    const { listen, history } = await createListener({ subscribed: true });
    for (const slug of ['night-ferry', 'el-gato', 'long-walk', 'night-ferry']) await listen(slug, 20);
    const { docs, totalDocs, ids } = await history();
    expect([ids, totalDocs]).toEqual([['night-ferry', 'long-walk', 'el-gato'].map(articleId), 3]);
    expect(docs[1]).toMatchObject({
      title: 'The long-walk',
      duration: 4000,
      progress: 20,
      like: false,
      kind: 'audiobook',
      narrator: { name: 'Amelia' },
      audio: expect.stringMatching(/^\/media\//),
      listenedAt: new Date(clock.now().getTime() - 20_000).toISOString(),
    });
    expect((await history({ page: 2, limit: 2 })).ids).toEqual([articleId('el-gato')]);
    expect(await history({ page: 3, limit: 2 })).toMatchObject({ ids: [], totalDocs: 3 });
  });

  it('[CAT-05] contains tracks that were finished or skipped', async () => {
    const { listen, save, history } = await createListener();
    await listen('el-gato', 100, 'ended');
    await listen('long-walk', 20);
    await save('long-walk', 'skip', 20);
    expect((await history()).ids).toEqual(['long-walk', 'el-gato'].map(articleId));
  });

  it('[CAT-05] a removed entry keeps its position and returns when played again', async () => {
    const { listen, history, token } = await createListener();
    await listen('el-gato', 20);
    await listen('long-walk', 30);
    const params = { id: articleId('long-walk') };
    expect(await call(removeFromHistory, token, { params })).toEqual({ _id: params.id });
    expect(await history()).toMatchObject({ ids: [articleId('el-gato')], totalDocs: 1 });
    expect((await send(removeFromHistory, { token, params })).statusCode).toBe(404);
    const input = { params: { id: playlistId('latest') }, query: {} };
    const { docs } = await call(api.playlists.findPlaylistContent, token, input);
    expect(docs.find(({ _id }) => _id === params.id)?.progress).toBe(30);
    await listen('long-walk', 40);
    expect((await history()).ids).toEqual(['long-walk', 'el-gato'].map(articleId));
  });

  it('[CAT-05] a skip neither lists a track nor changes when it was listened to', async () => {
    const { save, listen, history, token } = await createListener();
    await listen('el-gato', 20);
    await listen('long-walk', 30);
    await call(removeFromHistory, token, { params: { id: articleId('el-gato') } });
    const before = await history();
    clock.advance(DAY);
    await save('el-gato', 'skip', 20);
    await save('long-walk', 'skip', 30);
    await save('night-ferry', 'skip', 0);
    expect(await history()).toEqual(before);
    expect(before.ids).toEqual([articleId('long-walk')]);
    const { totalDocs } = await call(api.listening.findContinueListening, token, { query: {} });
    expect(totalDocs).toBe(0);
  });

  it('[CAT-05] [SUB-07] a removal and its undo are no listening', async () => {
    const { save, listen, history, token, getStatistics } = await createListener();
    await listen('long-walk', 30, 'hide');
    const before = await history();
    clock.advance(2 * DAY);
    await save('long-walk', 'skip', 30);
    clock.advance(5);
    await save('long-walk', 'seek', 30);
    const { docs } = await call(api.listening.findContinueListening, token, { query: {} });
    expect(docs).toMatchObject([{ _id: articleId('long-walk'), progress: 30 }]);
    expect(await history()).toEqual(before);
    const { days, daysInARow } = await getStatistics();
    expect([days.slice(-3).map(({ seconds }) => seconds), daysInARow]).toEqual([[30, 0, 0], 0]);
  });

  it('[CAT-05] restoring a removed entry is idempotent and keeps its order', async () => {
    const { listen, save, history, token } = await createListener();
    for (const slug of ['el-gato', 'long-walk', 'night-ferry']) {
      await listen(slug, 20);
      clock.advance(60);
    }
    await save('green-door', 'skip', 0);
    const before = await history();
    const params = { id: articleId('long-walk') };
    await call(removeFromHistory, token, { params });
    for (const _ of ['once', 'twice']) {
      expect(await call(restoreToHistory, token, { params })).toEqual({ _id: params.id });
      expect(await history()).toEqual(before);
    }
    for (const slug of ['green-door', 'picture-book']) {
      const neverListed = await send(restoreToHistory, { token, params: { id: articleId(slug) } });
      expect(neverListed.statusCode).toBe(404);
    }
    expect(await history()).toEqual(before);
  });

  it('[CAT-05] clearing affects one user; Continue listening and statistics stay', async () => {
    const [one, two] = [await createListener(), await createListener()];
    for (const { listen } of [one, two]) {
      await listen('el-gato', 20);
      await listen('long-walk', 20);
    }
    const before = await one.getStatistics();
    expect(await call(clearHistory, one.token, {})).toEqual({ removed: 2 });
    expect(await call(clearHistory, one.token, {})).toEqual({ removed: 0 });
    expect(await one.history()).toMatchObject({ ids: [], totalDocs: 0 });
    expect((await two.history()).totalDocs).toBe(2);
    expect(await one.getStatistics()).toEqual(before);
    const { totalDocs } = await call(api.listening.findContinueListening, one.token, { query: {} });
    expect(totalDocs).toBe(2);
  });

  it('[CAT-05] a device that was offline lists nothing from before a removal', async () => {
    const { listen, sendLate, history, token } = await createListener();
    await listen('el-gato', 20);
    await listen('long-walk', 20);
    const params = { id: articleId('el-gato') };
    await call(removeFromHistory, token, { params });
    clock.advance(60);
    await sendLate('el-gato', 90);
    expect((await history()).ids).toEqual([articleId('long-walk')]);
    await call(clearHistory, token, {});
    clock.advance(60);
    for (const slug of ['long-walk', 'night-ferry']) await sendLate(slug, 90);
    expect((await history()).ids).toEqual([]);
    await sendLate('night-ferry', 30);
    expect((await history()).ids).toEqual([articleId('night-ferry')]);
    await call(restoreToHistory, token, { params });
    expect((await history()).totalDocs).toBe(2);
  });

  it('[CAT-05] a device offline for weeks lists nothing from before a removal', async () => {
    const { sendLate, history, token } = await createListener();
    await call(clearHistory, token, {});
    clock.advance(9 * DAY);
    await sendLate('el-gato', 10 * DAY);
    expect((await history()).ids).toEqual([]);
    await sendLate('long-walk', 8 * DAY);
    expect((await history()).ids).toEqual([articleId('long-walk')]);
  });

  it('[CAT-05] lists what was listened to offline before another device skipped it', async () => {
    const { save, sendLate, history } = await createListener();
    await save('el-gato', 'skip', 20);
    clock.advance(60);
    await sendLate('el-gato', 90);
    const { docs } = await history();
    expect(docs).toMatchObject([{ _id: articleId('el-gato'), progress: 20 }]);
  });

  it('[PLAY-04] has URLs only for tracks the user may play', async () => {
    const { listen, history } = await createListener();
    await listen('el-gato', 20);
    await listen('night-ferry', 20);
    expect((await history()).docs.map(({ audio }) => audio !== null)).toEqual([true, false]);
  });

  it('[LIST-07] another user’s entry cannot be removed', async () => {
    const [one, two] = [await createListener(), await createListener()];
    await one.listen('el-gato', 20);
    const response = await send(removeFromHistory, {
      token: two.token,
      params: { id: articleId('el-gato') },
    });
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
    expect((await one.history()).totalDocs).toBe(1);
  });
});

describe('statistics', () => {
  const last = (days: { date: string; seconds: number }[], count: number) =>
    days.slice(-count).map(({ seconds }) => seconds);

  it('[SUB-07] are 30 days of 0 seconds for a new user', async () => {
    const { days, daysInARow, finished } = await (await createListener()).getStatistics();
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ date: clock.now().toISOString().slice(0, 10), seconds: 0 });
    expect([daysInARow, finished]).toEqual([0, 0]);
  });

  it('[SUB-07] count seconds per day, days in a row and each finished article once', async () => {
    const { listen, getStatistics } = await createListener();
    await listen('el-gato', 100, 'ended');
    clock.advance(2 * DAY);
    await listen('el-gato', 90, 'ended');
    clock.advance(DAY);
    await listen('long-walk', 50);
    await listen('night-ferry', 70, 'ended');
    const { days, daysInARow, finished } = await getStatistics();
    expect(last(days, 5)).toEqual([0, 100, 0, 90, 120]);
    expect([daysInARow, finished]).toEqual([2, 2]);
    clock.advance(DAY);
    expect((await getStatistics()).daysInARow).toBe(2);
    clock.advance(DAY);
    expect((await getStatistics()).daysInARow).toBe(0);
  });

  it('[SUB-07] count more days in a row than are shown', async () => {
    const { listen, getStatistics } = await createListener();
    for (let day = 0; day < 35; day += 1) {
      await listen('long-walk', 10);
      clock.advance(DAY);
    }
    const { days, daysInARow } = await getStatistics();
    expect(daysInARow).toBe(35);
    expect(days.filter(({ seconds }) => seconds > 0)).toHaveLength(29);
  });

  it('[SUB-07] use the days of the user’s time zone', async () => {
    const { save, getStatistics } = await createListener();
    const now = clock.now().toISOString().slice(0, 10);
    clock.advance((Date.parse(`${now}T00:00:00Z`) + DAY * 1000 - clock.now().getTime()) / 1000);
    const [before, after] = [-30, 30].map((seconds) => new Date(clock.now().getTime() + seconds * 1000));
    clock.advance(60);
    await save('long-walk', 'play', 0, before);
    await save('long-walk', 'pause', 60, after);
    expect(last((await getStatistics()).days, 2)).toEqual([30, 30]);
    expect(last((await getStatistics('America/Lima')).days, 2)).toEqual([0, 60]);
  });

  it('[SUB-07] count offline listening at its own time, and none in the future', async () => {
    const { save, getStatistics } = await createListener();
    const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000);
    await save('long-walk', 'play', 0, ago(2 * DAY));
    await save('long-walk', 'tick', 300, ago(2 * DAY - 300));
    await save('long-walk', 'play', 300, ago(-DAY));
    await save('long-walk', 'tick', 600, ago(-DAY - 300));
    expect(last((await getStatistics()).days, 3)).toEqual([300, 0, 0]);
  });

  it.each([
    ['behind', -2 * DAY],
    ['ahead', 2 * DAY],
  ])('[SUB-07] count listening today on a device whose clock is %s', async (_, clockError) => {
    const { token, getStatistics } = await createListener();
    const [device, madeAt] = [randomUUID(), clock.now().getTime()];
    clock.advance(200);
    for (const [index, cause] of (['play', 'tick', 'pause'] as const).entries()) {
      const played = index * 60;
      const at = new Date(madeAt + (played + clockError) * 1000).toISOString();
      const waited = 200 - played;
      const entry = { track: articleId('long-walk'), device, sequence: index + 1, position: played, cause };
      await call(api.listening.saveProgress, token, { body: { ...entry, at, waited, secondsPlayed: 60 } });
    }
    const { days, daysInARow } = await getStatistics();
    expect([last(days, 3), daysInARow]).toEqual([[0, 0, 120], 1]);
  });

  it('[SUB-07] count a sentence that is repeated slowly, but no more than the time that passed', async () => {
    const { save, getStatistics } = await createListener();
    await save('long-walk', 'play', 100, undefined, 0);
    for (const [elapsed, secondsPlayed] of [
      [4, 4],
      [4, 4],
      [4, 3600],
    ] as const) {
      clock.advance(elapsed);
      await save('long-walk', 'tick', 101, undefined, secondsPlayed);
    }
    expect(last((await getStatistics()).days, 1)).toEqual([12]);
  });

  it('[SUB-07] count the days of offline listening, of which ticks are not sent, in a row', async () => {
    const { save, getStatistics } = await createListener();
    const midnight = Math.floor(clock.now().getTime() / 1000 / DAY) * DAY;
    const at = (seconds: number) => new Date((midnight + seconds) * 1000);
    for (let day = 40; day > 1; day -= 1) {
      await save('long-walk', 'play', 0, at(-day * DAY));
      await save('long-walk', 'pause', 10, at(-day * DAY + 10));
    }
    await save('long-walk', 'play', 0, at(-30));
    await save('long-walk', 'pause', 40, at(10));
    const { days, daysInARow } = await getStatistics();
    expect([last(days, 3), daysInARow]).toEqual([[10, 30, 10], 41]);
  });

  it('[SUB-07] count a day in a row that ended with a skip for more than a month', async () => {
    const { save, getStatistics } = await createListener();
    const ago = (days: number, seconds = 0) =>
      new Date(clock.now().getTime() - (days * DAY - seconds) * 1000);
    for (let days = 40; days >= 0; days -= 1) {
      await save('long-walk', 'play', 0, ago(days), 0);
      await save('long-walk', 'skip', 10, ago(days, 10), 10);
    }
    clock.advance(10);
    expect((await getStatistics()).daysInARow).toBe(41);
  });

  it('[SUB-07] count what was listened to across the midnight before the first day', async () => {
    const { save, getStatistics } = await createListener();
    const today = Math.floor(clock.now().getTime() / 1000 / DAY) * DAY;
    const at = (seconds: number) => new Date((today - 29 * DAY + seconds) * 1000);
    await save('long-walk', 'play', 0, at(-30));
    await save('long-walk', 'pause', 40, at(10));
    expect((await getStatistics()).days.at(0)?.seconds).toBe(10);
  });

  it('[SUB-07] count two concurrent devices once, and each user separately', async () => {
    const { createDevice, getStatistics } = await createListener();
    const otherUser = await createListener();
    const devices = [createDevice(), createDevice()];
    for (const save of [...devices, otherUser.save]) await save('long-walk', 'play', 0);
    clock.advance(60);
    for (const save of devices) await save('long-walk', 'pause', 60);
    expect(last((await getStatistics()).days, 1)).toEqual([60]);
    expect(last((await otherUser.getStatistics()).days, 1)).toEqual([0]);
  });
});
