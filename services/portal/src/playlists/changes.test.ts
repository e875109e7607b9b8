import { randomUUID } from 'node:crypto';
import { api, limits } from '@escucho/contracts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startPlaylistTest } from '../testing/playlists.ts';

const playlistTest = await startPlaylistTest();
const {
  call,
  clock,
  send,
  db,
  createUser,
  insertPlaylist,
  articleId,
  playlistId,
  tableChecksums,
  me,
  other,
  change,
  findTracks,
  findRefusal,
} = playlistTest;
const { nightFerry, greenDoor, elGato, longWalk } = playlistTest.tracks;
const { changePlaylist, deletePlaylist, findPlaylist, findPlaylists, restorePlaylist } = api.playlists;

describe('changing a playlist', () => {
  it('[LIST-06] renames it and changes nothing else', async () => {
    const id = await insertPlaylist(me.id, 'Old name here', ['el-gato']);
    expect(await change(id, { name: 'New name here' })).toMatchObject({
      name: 'New name here',
      totalTracks: 1,
    });
    expect(await change(id, { active: 'false' })).toMatchObject({ name: 'New name here', active: false });
  });

  it.each([
    ['Walks', 'Must be greater than 5 characters'],
    ['  Walks  ', 'Must be greater than 5 characters'],
    ['   ', 'This field is required'],
    ['default', 'This name is reserved. Please choose another.'],
  ])('[LIST-02] refuses to rename it to %j', async (name, words) => {
    const _id = await insertPlaylist(me.id, 'Old name here');
    expect(await findRefusal(changePlaylist, { _id, name })).toEqual([
      400,
      'invalid_request',
      'body.name',
      words,
    ]);
  });

  it('[LIST-06] adds at the end and removes, idempotently', async () => {
    const id = await insertPlaylist(me.id, 'Adding things', ['el-gato', 'long-walk']);
    const adds = { origin: 'user', 'articles.added': `${nightFerry},${elGato},${greenDoor}` } as const;
    for (const addedTracks of [2, 0]) {
      expect(await change(id, adds)).toMatchObject({ totalTracks: 4, totalDuration: 4301.5, addedTracks });
      expect(await findTracks(id)).toEqual(['el-gato', 'long-walk', 'night-ferry', 'green-door']);
    }
    for (const _again of [1, 2]) {
      expect(await change(id, { 'articles.removed': [`${elGato}`, `${longWalk}`] })).toMatchObject({
        totalTracks: 2,
      });
      expect(await findTracks(id)).toEqual(['night-ferry', 'green-door']);
    }
    expect(
      await change(id, { 'articles.removed': [`${nightFerry}`, `${greenDoor}`, randomUUID()] }),
    ).toMatchObject({
      totalTracks: 0,
      totalDuration: 0,
      images: [],
    });
  });

  it.each([
    ['behind another', [`${nightFerry}:${elGato}`], ['green-door', 'el-gato', 'night-ferry', 'long-walk']],
    [
      'back, behind another',
      [`${longWalk}:${nightFerry}`],
      ['night-ferry', 'long-walk', 'green-door', 'el-gato'],
    ],
    ['to the top', [`${elGato}:`], ['el-gato', 'night-ferry', 'green-door', 'long-walk']],
    ['to the end', [`${nightFerry}:${longWalk}`], ['green-door', 'el-gato', 'long-walk', 'night-ferry']],
    ['to where it is', [`${greenDoor}:${nightFerry}`], ['night-ferry', 'green-door', 'el-gato', 'long-walk']],
    ['the first to the top', [`${nightFerry}:`], ['night-ferry', 'green-door', 'el-gato', 'long-walk']],
    ['behind itself', [`${greenDoor}:${greenDoor}`], ['night-ferry', 'green-door', 'el-gato', 'long-walk']],
    [
      'behind one that is not there',
      [`${nightFerry}:${other.id}`],
      ['night-ferry', 'green-door', 'el-gato', 'long-walk'],
    ],
    ['one that is not there', [`${other.id}:`], ['night-ferry', 'green-door', 'el-gato', 'long-walk']],
    [
      'two, one after the other',
      [`${longWalk}:`, `${elGato}:${longWalk}`],
      ['long-walk', 'el-gato', 'night-ferry', 'green-door'],
    ],
  ])('[LIST-06] moves a track %s', async (_name, moved, expected) => {
    const id = await insertPlaylist(me.id, 'Moving things', [
      'night-ferry',
      'green-door',
      'el-gato',
      'long-walk',
    ]);
    await change(id, { 'articles.moved': moved });
    expect(await findTracks(id)).toEqual(expected);
    await change(id, { 'articles.added': articleId('picture-book') });
    expect(await findTracks(id)).toEqual([...expected, 'picture-book']);
  });

  it('[LIST-05] restores a removed track to its position in one request', async () => {
    const id = await insertPlaylist(me.id, 'Undoing things', ['night-ferry', 'green-door', 'el-gato']);
    await change(id, { 'articles.removed': `${greenDoor}` });
    await change(id, { 'articles.added': `${greenDoor}`, 'articles.moved': `${greenDoor}:${nightFerry}` });
    expect(await findTracks(id)).toEqual(['night-ferry', 'green-door', 'el-gato']);
  });

  it('[LIST-06] moves into the same gap any number of times', async () => {
    const id = await insertPlaylist(me.id, 'Shuffled things', ['night-ferry', 'green-door', 'el-gato']);
    for (let turn = 0; turn < 60; turn += 1) {
      await change(id, { 'articles.moved': [`${elGato}:${nightFerry}`, `${greenDoor}:${nightFerry}`] });
    }
    expect(await findTracks(id)).toEqual(['night-ferry', 'green-door', 'el-gato']);
    const { rows } = await sql<{ digits: number }>`
      select max(scale(sort_key)) as digits from playlist_item where playlist_id = ${id}`.execute(db);
    expect(rows[0]?.digits).toBeLessThanOrEqual(100);
    await change(id, { 'articles.added': `${longWalk}`, 'articles.moved': `${elGato}:` });
    expect(await findTracks(id)).toEqual(['el-gato', 'night-ferry', 'green-door', 'long-walk']);
  });

  it.each([
    [
      'unknown tracks to add',
      { 'articles.added': [nightFerry, randomUUID()] },
      [404, 'not_found', undefined, undefined],
    ],
    [
      'a track both added and removed',
      { 'articles.added': nightFerry, 'articles.removed': [elGato, nightFerry] },
      [400, 'invalid_request', 'body.articles.removed', 'A track cannot be added and removed at once.'],
    ],
    [
      'more than 500 tracks',
      { 'articles.added': Array.from({ length: 501 }, () => randomUUID()) },
      [400, 'invalid_request', 'body.articles.added', 'At most 500 tracks at once.'],
    ],
    [
      'tracks that are no texts, with one error',
      { 'articles.added': '[1,2]' },
      [400, 'invalid_request', 'body.articles.added', 'This value is not valid.'],
    ],
    [
      'a system’s origin',
      { origin: 'system' },
      [400, 'invalid_request', 'body.origin', 'This value is not valid.'],
    ],
  ])('[API-03] refuses %s', async (_name, body, expected) => {
    const _id = await insertPlaylist(me.id, 'Refusing things', ['el-gato']);
    expect(await findRefusal(changePlaylist, { _id, name: 'Changed name', ...body })).toEqual(expected);
  });

  const pretend = (id: string, tracks: number) =>
    db.updateTable('playlist').set({ total_tracks: tracks }).where('id', '=', id).execute();

  it('[LIST-01] refuses tracks beyond the maximum and adds none of them', async () => {
    const id = await insertPlaylist(me.id, 'Full of things', ['el-gato']);
    const most = limits.playlists.tracks;
    await pretend(id, most - 1);
    const body = { _id: id, 'articles.added': [nightFerry, greenDoor] };
    expect(await findRefusal(changePlaylist, body)).toEqual([
      ...[409, 'limit_reached', 'body.articles.added', 'A playlist holds 20,000 tracks at most.'],
    ]);
    const moving = { ...body, 'articles.moved': [`${nightFerry}:`] };
    expect((await findRefusal(changePlaylist, moving)).slice(0, 2)).toEqual([409, 'limit_reached']);
    expect(await change(id, { 'articles.added': `${nightFerry}` })).toMatchObject({ totalTracks: most });
    expect(await change(id, { 'articles.added': [`${nightFerry}`, `${elGato}`] })).toMatchObject({
      totalTracks: most,
    });
  });

  it('[LIST-01] replaces a track of a playlist that has the maximum', async () => {
    const id = await insertPlaylist(me.id, 'Full of things', ['el-gato', 'green-door']);
    await pretend(id, limits.playlists.tracks);
    const removal = { _id: id, 'articles.removed': elGato };
    const tooMany = { ...removal, 'articles.added': [nightFerry, longWalk] };
    expect((await findRefusal(changePlaylist, tooMany)).slice(0, 2)).toEqual([409, 'limit_reached']);
    const { totalTracks } = await change(id, { ...removal, 'articles.added': nightFerry });
    expect(totalTracks).toBe(limits.playlists.tracks);
    await pretend(id, 2);
    expect(await findTracks(id)).toEqual(['green-door', 'night-ferry']);
  });
});

describe('deleting a playlist', () => {
  it('[LIST-05] deletes it; a second time it is not found', async () => {
    const id = await insertPlaylist(me.id, 'Deleted things', ['el-gato', 'night-ferry']);
    expect(await call(deletePlaylist, me.token, { params: { id } })).toEqual({ _id: id });
    for (const target of [findPlaylist, deletePlaylist]) {
      expect((await send(target, { token: me.token, params: { id } })).statusCode).toBe(404);
    }
    expect(
      (await send(changePlaylist, { token: me.token, body: { _id: id, name: 'Renamed things' } })).statusCode,
    ).toBe(404);
    const { docs } = await call(findPlaylists, me.token, { query: { limit: 100 } });
    expect(docs.map(({ _id }) => _id)).not.toContain(id);
  });

  it('[LIST-05] can be undone, also twice: the playlist is as it was', async () => {
    const id = await insertPlaylist(me.id, 'Restored things', ['el-gato', 'night-ferry']);
    const params = { id };
    const before = await call(findPlaylist, me.token, { params });
    await call(deletePlaylist, me.token, { params });
    expect(await call(restorePlaylist, me.token, { params })).toEqual(before);
    expect(await call(restorePlaylist, me.token, { params })).toEqual(before);
    expect(await findTracks(id)).toEqual(['el-gato', 'night-ferry']);
  });

  it('[LIST-05] can be undone for an hour, by its owner only', async () => {
    const id = await insertPlaylist(me.id, 'Forgotten things', ['el-gato']);
    const params = { id };
    await call(deletePlaylist, me.token, { params });
    expect((await send(restorePlaylist, { token: other.token, params })).statusCode).toBe(404);
    const deletedAt = new Date(clock.now().getTime() - 60 * 60_000 - 1);
    await db.updateTable('playlist').set({ deleted_at: deletedAt }).where('id', '=', id).execute();
    expect((await send(restorePlaylist, { token: me.token, params })).statusCode).toBe(404);
    const next = await insertPlaylist(me.id, 'Other things', []);
    await call(deletePlaylist, me.token, { params: { id: next } });
    expect(await db.selectFrom('playlist').select('id').where('id', '=', id).execute()).toEqual([]);
  });

  it('purges few expired playlists with each deletion', async () => {
    const create = (name: string) => insertPlaylist(me.id, name, ['el-gato']);
    const expired = await Promise.all([1, 2, 3, 4, 5].map((number) => create(`Expired things ${number}`)));
    const deletedAt = new Date(clock.now().getTime() - 60 * 60_000 - 1);
    await db.updateTable('playlist').set({ deleted_at: deletedAt }).where('id', 'in', expired).execute();
    const counts: number[] = [];
    for (const name of ['First things', 'Second things', 'Third things']) {
      await call(deletePlaylist, me.token, { params: { id: await create(name) } });
      const left = await db.selectFrom('playlist').select('id').where('id', 'in', expired).execute();
      counts.push(left.length);
    }
    expect(counts).toEqual([3, 1, 0]);
  });
});

describe('playlists the user may not change', () => {
  const changes: [string, object][] = [
    ['a new name', { name: 'Mine from now on' }],
    ['another state', { active: 'false' }],
    ['a track more', { 'articles.added': nightFerry }],
    ['a track less', { 'articles.removed': elGato }],
    ['another order', { 'articles.moved': `${elGato}:` }],
    ['nothing', {}],
  ];
  const lists: [string, () => Promise<string>, number][] = [
    ['another user’s', () => insertPlaylist(other.id, 'Private thing', ['night-ferry', 'el-gato']), 404],
    [
      'another user’s favourites',
      async () => insertPlaylist((await createUser()).id, 'default', ['el-gato'], 'auto'),
      404,
    ],
    ['an unknown one', async () => randomUUID(), 404],
    ['a user’s id', async () => other.id, 404],
    ['a system one', async () => playlistId('latest'), 403],
  ];

  it.each(lists)('[LIST-07] %s cannot be changed or deleted', async (_name, make, status) => {
    const id = await make();
    const before = await tableChecksums();
    for (const [what, sent] of changes) {
      const response = await send(changePlaylist, { token: me.token, body: { _id: id, ...sent } });
      expect([what, response.statusCode]).toEqual([what, status]);
    }
    const response = await send(deletePlaylist, { token: me.token, params: { id } });
    expect([response.statusCode, response.json().error.code]).toEqual([
      status,
      status === 404 ? 'not_found' : 'forbidden',
    ]);
    expect(await tableChecksums()).toEqual(before);
  });

  it('[CAT-08] favourites cannot be renamed or deleted; their tracks can change', async () => {
    const mine = await createUser();
    const id = await insertPlaylist(mine.id, 'default', ['el-gato', 'long-walk'], 'auto');
    for (const sent of [{ name: 'Not default now' }, { active: 'false' }]) {
      const response = await send(changePlaylist, { token: mine.token, body: { _id: id, ...sent } });
      expect([response.statusCode, response.json().error.code]).toEqual([403, 'forbidden']);
    }
    expect((await send(deletePlaylist, { token: mine.token, params: { id } })).statusCode).toBe(403);
    const added = [`${nightFerry}`, `${greenDoor}`];
    await change(
      id,
      { origin: 'auto', 'articles.added': added, 'articles.removed': `${elGato}` },
      mine.token,
    );
    expect(await findTracks(id, mine.token)).toEqual(['green-door', 'night-ferry', 'long-walk']);
    await change(id, { 'articles.moved': `${longWalk}:` }, mine.token);
    expect(await findTracks(id, mine.token)).toEqual(['long-walk', 'green-door', 'night-ferry']);
  });
});
