import { randomUUID } from 'node:crypto';
import { api, limits } from '@escucho/contracts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startPlaylistTest } from '../testing/playlists.ts';

const playlistTest = await startPlaylistTest();
const { app, call, send, db, createUser, me, other, create, findTracks, findRefusal } = playlistTest;
const { nightFerry, elGato, longWalk } = playlistTest.tracks;
const { createPlaylist, deletePlaylist, findPlaylist } = api.playlists;

describe('creating a playlist', () => {
  it('[LIST-01] stores the name, the origin and the tracks in order', async () => {
    const sent = { name: ' Morning  walk ', origin: 'user', active: 'true' } as const;
    const created = await create({ ...sent, 'articles.added': [`${elGato}`, `${nightFerry}`] });
    expect(created).toMatchObject({
      name: 'Morning walk',
      origin: 'user',
      active: true,
      titles: null,
      totalTracks: 2,
      totalDuration: 201,
      createdAt: '2026-11-20T10:00:00.000Z',
    });
    expect(created.images).toHaveLength(2);
    expect(await findTracks(created._id)).toEqual(['el-gato', 'night-ferry']);
    expect(await call(findPlaylist, me.token, { params: { id: created._id } })).toEqual(created);
  });

  it('[LIST-01] accepts multipart', async () => {
    const form = new FormData();
    form.append('name', 'Evening walk');
    form.append('articles.added', `${longWalk}`);
    const request = new Request('http://test', { method: 'POST', body: form });
    const response = await app.inject({
      method: 'POST',
      url: '/api/playlist',
      headers: {
        authorization: `Bearer ${me.token}`,
        'content-type': request.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    expect([response.statusCode, response.json().name]).toEqual([200, 'Evening walk']);
    expect(await findTracks(response.json()._id)).toEqual(['long-walk']);
  });

  it.each([
    ['', 'This field is required'],
    ['Walks', 'Must be greater than 5 characters'],
    ['  Walks  ', 'Must be greater than 5 characters'],
    ['   ', 'This field is required'],
    ['Walks & talks', 'Only letters and numbers are allowed'],
    ['\u0301'.repeat(6), 'Only letters and numbers are allowed'],
    ['default', 'This name is reserved. Please choose another.'],
  ])('[LIST-02] refuses the name %j', async (name, words) => {
    expect(await findRefusal(createPlaylist, { name })).toEqual([400, 'invalid_request', 'body.name', words]);
  });

  it('[LIST-01] a repeated request changes what the first one created', async () => {
    const body = { 'articles.added': [`${elGato}`], idempotencyKey: randomUUID() };
    const first = await create({ ...body, name: 'Lost response' });
    const [second] = await Promise.all([
      create({ ...body, name: 'Found again' }),
      create({ ...body, name: 'Found again' }),
    ]);
    expect(second).toEqual({ ...first, name: 'Found again' });
    await call(deletePlaylist, me.token, { params: { id: first._id } });
    expect(await create({ ...body, name: 'Found again' })).toEqual(second);
    expect(await findTracks(first._id)).toEqual(['el-gato']);
    expect((await create({ ...body, name: 'Somebody else' }, other.token))._id).not.toBe(first._id);
  });

  it('[LIST-01] refuses an unknown track', async () => {
    const body = { name: 'Morning walk', 'articles.added': [nightFerry, other.id] };
    expect(await findRefusal(createPlaylist, body)).toEqual([404, 'not_found', undefined, undefined]);
  });

  it('[LIST-01] refuses more playlists than the limit, also concurrently', async () => {
    const rich = await createUser();
    await sql`insert into playlist (owner_id, name, origin, created_at)
      select ${rich.id}, 'List ' || n, 'user', now() from generate_series(3, ${limits.playlists.perUser}) n`.execute(
      db,
    );
    const body = { name: 'One more list' };
    const asked = await Promise.all(
      Array.from({ length: 6 }, () => send(createPlaylist, { token: rich.token, body })),
    );
    expect(asked.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    const late = asked.find(({ statusCode }) => statusCode === 409)?.json().error;
    expect(late).toMatchObject({
      code: 'limit_reached',
      fields: [{ path: 'body.name', code: 'playlist_limit', message: expect.stringMatching(/500/) }],
    });
    expect(await create(body)).toMatchObject(body);
  });
});
