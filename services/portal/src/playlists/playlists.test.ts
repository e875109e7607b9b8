import { api } from '@escucho/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';
import { getRefusalCode } from './service.ts';

const portal = await startPortal();
const { call, send, createUser, insertPlaylist, articleId, playlistId, clock } = portal;
const { findPlaylist, findPlaylists, findPlaylistContent } = api.playlists;

const subscriber = await createUser({ subscribed: true });
const free = await createUser();

type Filter = { origin?: 'system' | 'user' | 'auto'; name?: { $ne?: string; $regex?: string } };
const query = (filter?: Filter, more: { page?: number; limit?: number; sorter?: object } = {}) => {
  const { sorter, ...paging } = more;
  return {
    ...paging,
    ...(filter && { filter: JSON.stringify(filter) }),
    ...(sorter && { sorter: JSON.stringify(sorter) }),
  };
};

describe('a playlist’s content', () => {
  it('[CAT-01] [API-01] returns the tracks in order, with every field', async () => {
    const params = { id: playlistId('latest') };
    const { docs, totalDocs } = await call(findPlaylistContent, subscriber.token, { params, query: {} });
    expect(totalDocs).toBe(5);
    expect(docs.map(({ title }) => title)).toEqual([
      'The night-ferry',
      'The green-door',
      'The el-gato',
      'The long-walk',
      'The picture-book',
    ]);
    const picture = expect.stringMatching(
      /^\/media\/[0-9a-f]{2}\/[0-9a-f]{62}\.(avif|webp)\?expires=\d+&signature=[\w-]{22}$/,
    );
    expect(docs[0]).toEqual({
      _id: articleId('night-ferry'),
      url: expect.stringMatching(
        /^\/media\/[0-9a-f]{2}\/[0-9a-f]{62}\.mp3\?expires=\d+&signature=[\w-]{22}$/,
      ),
      title: 'The night-ferry',
      artist: 'Amelia',
      artwork: picture,
      image: picture,
      duration: 100.5,
      progress: 0,
      like: false,
      source: 'Latest articles',
      playlist: playlistId('latest'),
      kind: 'article',
      language: 'en',
      level: 'B1',
      topic: 'travel',
      loudness: -18,
    });
  });

  it.each([
    [1, 2, ['night-ferry', 'green-door']],
    [2, 2, ['el-gato', 'long-walk']],
    [3, 2, ['picture-book']],
    [4, 2, []],
    [100_000, 100, []],
  ])('[API-01] page %i of %i a page', async (page, limit, slugs) => {
    const params = { id: playlistId('latest') };
    const { docs, totalDocs } = await call(findPlaylistContent, free.token, {
      params,
      query: { page, limit },
    });
    expect(docs.map(({ _id }) => _id)).toEqual(slugs.map(articleId));
    expect(totalDocs).toBe(5);
  });

  it('[CAT-08] contains the user’s own progress and favourites only', async () => {
    const mine = await createUser();
    await insertPlaylist(mine.id, 'default', ['green-door'], 'auto');
    await insertPlaylist(mine.id, 'Not favourites', ['el-gato']);
    const entry = {
      track: articleId('night-ferry'),
      device: mine.id,
      sequence: 1,
      position: 42.5,
      cause: 'pause',
    } as const;
    await call(api.listening.saveProgress, mine.token, { body: entry });
    const seen = async (token: string) => {
      const sent = { params: { id: playlistId('latest') }, query: { limit: 3 } };
      const { docs } = await call(findPlaylistContent, token, sent);
      return docs.map(({ progress, like }) => [progress, like]);
    };
    expect(await seen(mine.token)).toEqual([
      [42.5, false],
      [0, true],
      [0, false],
    ]);
    expect(await seen(free.token)).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ]);
  });
});

describe('access to audio', () => {
  const playable = async (token: string, id: string, query = {}) => {
    const { docs } = await call(findPlaylistContent, token, { params: { id }, query });
    return docs.map(({ url }) => url !== null);
  };

  it('[PLAY-04] subscribers get a URL for every track in every list', async () => {
    const own = await insertPlaylist(subscriber.id, 'Commute one', ['el-gato', 'green-door']);
    expect(await playable(subscriber.token, playlistId('latest'))).toEqual([true, true, true, true, true]);
    expect(await playable(subscriber.token, own)).toEqual([true, true]);
  });

  it('[PLAY-04] others get the first track of a system ‘Latest’ list only', async () => {
    expect(await playable(free.token, playlistId('latest'))).toEqual([true, false, false, false, false]);
    expect(await playable(free.token, playlistId('latest'), { page: 2, limit: 1 })).toEqual([false]);
    expect(await playable(free.token, playlistId('travel'))).toEqual([false, false]);
  });

  it('[PLAY-04] a learner gets the track that is free at their level in every list', async () => {
    const learner = await createUser();
    const body = { level: 'A2', learningLanguage: 'en' } as const;
    await call(api.settings.changeSettings, learner.token, { body });
    expect(await playable(learner.token, playlistId('travel'))).toEqual([true, false]);
    const own = await insertPlaylist(learner.id, 'My own walk', ['el-gato', 'green-door']);
    expect(await playable(learner.token, own)).toEqual([false, true]);
  });

  it('[PLAY-04] a user’s own playlist named ‘Latest’ has no free track', async () => {
    const own = await insertPlaylist(free.id, 'Latest articles', ['el-gato', 'night-ferry']);
    expect(await playable(free.token, own)).toEqual([false, false]);
  });
});

describe('one playlist', () => {
  it('[LIST-01] [CAT-01] has every field', async () => {
    expect(await call(findPlaylist, free.token, { params: { id: playlistId('latest') } })).toEqual({
      _id: playlistId('latest'),
      name: 'Latest articles',
      titles: { en: 'Latest articles', es: 'Últimos artículos' },
      origin: 'system',
      active: true,
      images: Array.from({ length: 4 }, () => ({ url: expect.stringContaining('.avif?expires=') })),
      totalTracks: 5,
      totalDuration: 4 * 100.5 + 4000,
      createdAt: '2026-11-20T10:00:00.000Z',
    });
  });

  it('[LIST-01] a user’s own has no titles, and an empty one no images', async () => {
    const id = await insertPlaylist(free.id, 'Nothing yet');
    expect(await call(findPlaylist, free.token, { params: { id } })).toMatchObject({
      _id: id,
      name: 'Nothing yet',
      origin: 'user',
      titles: null,
      images: [],
      totalTracks: 0,
      totalDuration: 0,
    });
  });

  it.each([
    ['another user’s', () => insertPlaylist(subscriber.id, 'Private thing', ['el-gato'])],
    [
      'another user’s favourites',
      async () => insertPlaylist((await createUser()).id, 'default', ['el-gato'], 'auto'),
    ],
    ['an unknown one', async () => crypto.randomUUID()],
    ['a system one that is not active', () => inactive()],
  ])('[LIST-07] %s is not found', async (_name, make) => {
    const params = { id: await make() };
    for (const target of [findPlaylist, findPlaylistContent]) {
      const response = await send(target, { token: free.token, params });
      expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
    }
  });

  async function inactive(): Promise<string> {
    const { id } = await portal.db
      .insertInto('playlist')
      .values({ name: 'Resting', origin: 'system', active: false, created_at: clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
});

describe('pages of playlists', () => {
  const names = async (token: string, sent: ReturnType<typeof query>) => {
    const { docs, totalDocs } = await call(findPlaylists, token, { query: sent });
    return [docs.map(({ name }) => name), totalDocs];
  };
  let token = '';

  beforeAll(async () => {
    const mine = await createUser();
    token = mine.token;
    for (const name of ['Morning walk', 'EVENING walk', '100% calm', 'ünder_score', 'back\\slash']) {
      clock.advance(1);
      await insertPlaylist(mine.id, name);
    }
    await insertPlaylist(mine.id, 'default', ['el-gato'], 'auto');
    const other = await createUser();
    await insertPlaylist(other.id, 'Somebody’s walk');
  });

  it.each([
    [
      'the own ones, newest first',
      { origin: 'user' },
      {},
      ['back\\slash', 'ünder_score', '100% calm', 'EVENING walk', 'Morning walk'],
      5,
    ],
    [
      'oldest first',
      { origin: 'user' },
      { sorter: { _created_at: 1 }, limit: 2 },
      ['Morning walk', 'EVENING walk'],
      5,
    ],
    [
      'newest first, said so',
      { origin: 'user' },
      { sorter: { _created_at: -1 }, limit: 1 },
      ['back\\slash'],
      5,
    ],
    ['the last page', { origin: 'user' }, { page: 3, limit: 2 }, ['Morning walk'], 5],
    ['a page after the last', { origin: 'user' }, { page: 9, limit: 2 }, [], 5],
    ['the favourites', { origin: 'auto' }, {}, ['default'], 1],
    ['not the favourites', { origin: 'auto', name: { $ne: 'default' } }, {}, [], 0],
    ['the system’s', { origin: 'system', name: { $regex: 'LATEST' } }, {}, ['Latest articles'], 1],
    [
      'a name that contains, whatever its case',
      { origin: 'user', name: { $regex: 'Walk' } },
      {},
      ['EVENING walk', 'Morning walk'],
      2,
    ],
    [
      'a name that contains and is not another',
      { origin: 'user', name: { $regex: 'walk', $ne: 'EVENING walk' } },
      {},
      ['Morning walk'],
      1,
    ],
    ['a name without its accents', { origin: 'user', name: { $regex: 'UNDER' } }, {}, ['ünder_score'], 1],
    ['decomposed letters', { origin: 'user', name: { $regex: 'u\u0308nder' } }, {}, ['ünder_score'], 1],
    ['no name that contains it', { origin: 'user', name: { $regex: 'nothing' } }, {}, [], 0],
    ['% as plain text', { origin: 'user', name: { $regex: '%' } }, {}, ['100% calm'], 1],
    ['_ as plain text', { origin: 'user', name: { $regex: '_' } }, {}, ['ünder_score'], 1],
    ['\\ as plain text', { origin: 'user', name: { $regex: '\\' } }, {}, ['back\\slash'], 1],
    ['.* as plain text', { origin: 'user', name: { $regex: '.*' } }, {}, [], 0],
  ] as const)('[API-01] %s', async (_name, filter, more, expected, total) => {
    expect(await names(token, query(filter, more))).toEqual([expected, total]);
  });

  it('[LIST-07] without a filter: those of the system and the user’s own', async () => {
    const [found] = await names(token, query());
    expect(found).toEqual(expect.arrayContaining(['Latest articles', 'Travel', 'Morning walk', 'default']));
    expect(found).not.toContain('Somebody’s walk');
  });
});

it.each([
  [undefined, 'tracks', 'not_found'],
  [undefined, 'list', 'not_found'],
  ['system', 'tracks', 'forbidden'],
  ['system', 'list', 'forbidden'],
  ['auto', 'tracks', 'not_found'],
  ['auto', 'list', 'forbidden'],
  ['user', 'tracks', 'not_found'],
  ['user', 'list', 'not_found'],
] as const)('[LIST-07] a change of %s (its %s) that was not done: %s', (origin, wish, code) => {
  expect(getRefusalCode(origin, wish)).toBe(code);
});
