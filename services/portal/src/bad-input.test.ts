import { randomUUID } from 'node:crypto';
import { api, type Endpoint } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { createProof, startFakeGateway } from './testing/operator-gateway.ts';
import { type Request, startPortal } from './testing/portal.ts';

// The stream of notifications ends at once, so that it can be requested like the other endpoints.
const { gateways, subscribers } = await startFakeGateway();
const portal = await startPortal({
  streams: { perUser: 100, total: 100, heartbeatMs: 5, maxHeartbeats: 1 },
  operators: { gateways, perMinute: 10_000 },
});
const {
  app,
  send,
  createUser,
  issuer,
  articleId,
  playlistId,
  insertPlaylist,
  tableChecksums,
  log,
  secret,
  clock,
} = portal;
const me = await createUser({ subscribed: true });
const other = await createUser({ subscribed: true });
const leaver = await createUser();
const myPlaylist = await insertPlaylist(me.id, 'Mine alone', ['el-gato']);
const unwanted = await insertPlaylist(me.id, 'Mine no more', ['el-gato']);
const othersPlaylist = await insertPlaylist(other.id, 'Not yours at all', ['el-gato']);
const othersFavourites = await insertPlaylist(other.id, 'default', ['el-gato'], 'auto');
const idToken = await issuer.id(me.subject, {
  claims: { email: me.email, given_name: 'Ana', family_name: 'Ruiz' },
});

const msisdn = '51930000001';
subscribers.set(msisdn, { id: 'rosa', msisdn, status: 'active' });
const proof = createProof(clock, { platform: 'bitel', msisdn });

const progressEntry = {
  track: articleId('el-gato'),
  device: randomUUID(),
  sequence: 1,
  position: 10,
  cause: 'pause',
  at: '2026-11-20T09:00:00.000Z',
};
const bookmark = randomUUID();
await send(api.listening.saveProgress, { token: me.token, body: progressEntry });

/** A valid request to each endpoint. */
const validRequests: [name: string, target: Endpoint, request: Request][] = [
  ['sign-in', api.auth.signInCognito, { body: { idToken } }],
  ['me', api.auth.me, {}],
  ['export account', api.account.exportAccount, {}],
  ['delete account', api.account.deleteAccount, {}],
  ['operator sign-in', api.operators.signInThirdParties, { body: { platform: 'bitel', msisdn, proof } }],
  ['discover', api.catalogue.discover, {}],
  ['article', api.articles.findArticle, { params: { id: articleId('el-gato') } }],
  ['read', api.articles.readArticle, { params: { id: articleId('el-gato') } }],
  [
    'articles',
    api.articles.findArticles,
    { query: { level: 'B1', language: 'en', after: articleId('el-gato'), limit: 5 } },
  ],
  ['articles of a kind', api.articles.findArticles, { query: { kind: 'audiobook' } }],
  ['articles of a topic', api.articles.findArticles, { query: { topic: 'travel' } }],
  ['articles of a narrator', api.articles.findArticles, { query: { narrator: 'Amelia' } }],
  ['browse', api.articles.browse, { query: { language: 'es' } }],
  [
    'search',
    api.search.search,
    {
      query: {
        q: 'door',
        language: 'en',
        level: 'B1',
        kind: 'article',
        topic: 'travel',
        length: 'short',
        page: 1,
        limit: 5,
      },
    },
  ],
  ['save progress', api.listening.saveProgress, { body: progressEntry }],
  ['continue listening', api.listening.findContinueListening, { query: { page: 1, limit: 5 } }],
  ['history', api.history.findHistory, { query: { page: 1, limit: 5 } }],
  ['remove from history', api.history.removeFromHistory, { params: { id: articleId('el-gato') } }],
  ['restore to history', api.history.restoreToHistory, { params: { id: articleId('el-gato') } }],
  ['clear history', api.history.clearHistory, {}],
  ['statistics', api.history.findStatistics, { query: { timeZone: 'America/Lima' } }],
  ['remove from continue', api.listening.removeContinueListening, { params: { id: articleId('el-gato') } }],
  [
    'audio',
    api.listening.grantAudio,
    { params: { id: articleId('el-gato') }, query: { playlist: playlistId('latest') } },
  ],
  ['playlist', api.playlists.findPlaylist, { params: { id: playlistId('latest') } }],
  [
    'playlists',
    api.playlists.findPlaylists,
    { query: { page: 1, limit: 5, filter: '{"origin":"user"}', sorter: '{"_created_at":-1}' } },
  ],
  [
    'playlist content',
    api.playlists.findPlaylistContent,
    { params: { id: playlistId('latest') }, query: { page: 1, limit: 5 } },
  ],
  [
    'create playlist',
    api.playlists.createPlaylist,
    {
      body: {
        name: 'Walks at noon',
        origin: 'user',
        active: 'true',
        'articles.added': [articleId('el-gato')],
      },
    },
  ],
  [
    'change playlist',
    api.playlists.changePlaylist,
    {
      body: {
        _id: myPlaylist,
        name: 'Walks at night',
        origin: 'user',
        active: 'true',
        'articles.added': articleId('long-walk'),
        'articles.removed': articleId('green-door'),
        'articles.moved': `${articleId('long-walk')}:`,
      },
    },
  ],
  ['add favourite', api.favourites.addFavourite, { params: { id: articleId('el-gato') } }],
  ['remove favourite', api.favourites.removeFavourite, { params: { id: articleId('el-gato') } }],
  ['bookmarks', api.bookmarks.findBookmarks, { query: { track: articleId('el-gato') } }],
  [
    'save bookmark',
    api.bookmarks.saveBookmark,
    { params: { id: bookmark }, body: { track: articleId('el-gato'), position: 1, note: 'here' } },
  ],
  ['delete bookmark', api.bookmarks.deleteBookmark, { params: { id: bookmark } }],
  ['settings', api.settings.findSettings, {}],
  [
    'change settings',
    api.settings.changeSettings,
    {
      body: {
        firstName: 'Ana',
        lastName: 'Ruiz',
        language: 'es',
        theme: 'dark',
        level: 'B1',
        learningLanguage: 'en',
      },
    },
  ],
  ['subscription', api.subscription.findSubscription, {}],
  ['cancel', api.subscription.cancelSubscription, {}],
  ['resume', api.subscription.resumeSubscription, {}],
  ['change plan', api.subscription.changePlan, { body: { product: 'monthly' } }],
  ['pay renewal', api.subscription.payRenewal, {}],
  ['create card setup', api.subscription.createCardSetup, {}],
  ['replace card', api.subscription.replaceCard, { body: { setup: 'seti_1' } }],
  ['receipts', api.subscription.findReceipts, {}],
  ['delete playlist', api.playlists.deletePlaylist, { params: { id: unwanted } }],
  [
    'notifications',
    api.notifications.findNotifications,
    { query: { page: 1, limit: 5, filter: '{}', sorter: '{"createdAt":1}' } },
  ],
  ['notification stream', api.notifications.streamNotifications, {}],
];

const NUL = '\u0000';
const SQL = "'; drop table users; --";
const PATH = '../../../../etc/passwd';
const LONG = 'a'.repeat(10_000);
const badIds = ['', 'undefined', '1', SQL, PATH, NUL, `${articleId('el-gato')}${NUL}`, LONG.slice(0, 400)];
const badNumbers = ['0', '-1', '1.5', 'abc', 'NaN', 'Infinity', '1e99', SQL, NUL, '', '101000000'];
const badJson = ['', '{', 'null', '[]', '"x"', '{"$where":"1"}', '{"origin":"admin"}', NUL, LONG, SQL];
const badNames = [
  { $gt: '' },
  { $ne: 7 },
  { $ne: NUL },
  { $regex: `a${NUL}` },
  { $regex: LONG.slice(0, 300) },
  [],
];
const badFilters = [...badJson, ...badNames.map((name) => JSON.stringify({ name }))];
const badSorters = [
  ...badJson,
  '{"_created_at":2}',
  '{"_created_at":"-1"}',
  '{"createdAt":0}',
  '{"createdAt":"up"}',
  '{"name":1}',
];
const badFlags = ['', 'yes', '1', 'TRUE', NUL, SQL];
const badLists = ['x', 'undefined', '[', '[1]', '{}', '[{"$ne":1}]', NUL, SQL, PATH, LONG];
const badPersonNames = ['', 'A', 7, null, {}, [], `An${NUL}a`, 'a'.repeat(61), LONG];
const badChoices = ['', 'xx', 'EN', 7, {}, [], NUL, SQL];
const bodyIds = [undefined, null, 7, {}, ...badIds];

/** Invalid values by the path of the field. */
const invalidValues: Record<string, readonly unknown[]> = {
  'params.id': badIds.filter((id) => id !== '' && id.length < 400),
  'query.page': badNumbers,
  'query.limit': [...badNumbers, '101'],
  'query.playlist': badIds,
  'query.track': badIds,
  'query.after': badIds,
  'query.q': [NUL, `door${NUL}`, LONG],
  'query.topic': [NUL, LONG],
  'query.narrator': [NUL, LONG],
  'query.language': badChoices.map(String),
  'query.level': badChoices.map(String),
  'query.kind': badChoices.map(String),
  'query.length': badChoices.map(String),
  'query.timeZone': ['', 'Mars/Base', 'America/Lima ', '99', NUL, SQL, PATH, LONG],
  'query.filter': badFilters,
  'query.sorter': badSorters,
  'body.idToken': [undefined, null, 7, {}, [], NUL, `${idToken}${NUL}`, LONG, SQL, PATH, ''],
  'body._id': bodyIds,
  'body.name': [
    '',
    '  ',
    'Walks',
    'Walks!',
    'default',
    NUL,
    `Walks ${NUL}`,
    SQL,
    PATH,
    LONG,
    ['Walks one', 'Walks two'],
  ],
  'body.origin': ['', 'system', 'admin', 'User', NUL, SQL],
  'body.active': badFlags,
  'body.articles.added': badLists,
  'body.articles.removed': badLists,
  'body.articles.moved': [
    ...badLists,
    articleId('el-gato'),
    `${articleId('el-gato')}:x`,
    `:${articleId('el-gato')}`,
  ],
  'body.track': bodyIds,
  'body.device': bodyIds,
  'body.note': [undefined, null, 7, {}, NUL, 'a'.repeat(501), LONG],
  'body.sequence': [undefined, null, '1', 0, -1, 1.5, 2 ** 53, {}, NUL],
  'body.position': [undefined, null, '10', -1, 360_001, {}, NUL],
  'body.at': [null, '', 'yesterday', '2026-11-20', '2026-13-01T00:00:00Z', 7, {}, NUL, SQL],
  'body.firstName': badPersonNames,
  'body.lastName': badPersonNames,
  'body.language': badChoices,
  'body.learningLanguage': badChoices,
  'body.theme': badChoices,
  'body.level': badChoices,
  'body.platform': [undefined, null, '', 'claro', 'BITEL', 7, {}, ['bitel'], NUL, SQL],
  'body.msisdn': [
    undefined,
    null,
    '',
    51930000001,
    'abc',
    '12345',
    '1'.repeat(16),
    ` ${msisdn}`,
    NUL,
    SQL,
    PATH,
  ],
  'body.proof': [null, '', 7, {}, 'x', `${proof}=`, `${proof}\n`, proof.slice(1), NUL, SQL, PATH, LONG],
  'body.product': [undefined, null, 7, {}, [], NUL, LONG],
  'body.setup': [undefined, null, 7, {}, [], NUL, LONG],
  'body.cause': [undefined, null, '', 'rewind', 7, {}, NUL, SQL],
};

const locations = ['params', 'query', 'body'] as const;
type Location = (typeof locations)[number];
const setField = (request: Request, location: Location, field: string, value: unknown): Request => ({
  ...request,
  token: me.token,
  [location]: { ...Object(request[location]), [field]: value },
});

const cases = validRequests.flatMap(([name, target, request]) =>
  locations.flatMap((location) =>
    Object.keys(Object(request[location])).flatMap((field) => {
      const path = `${location}.${field}`;
      return [{ name, target, path, values: invalidValues[path] ?? [], request, location, field }];
    }),
  ),
);

/** Runs the work and expects that no table has changed. */
async function expectNoChange(work: () => Promise<void>): Promise<void> {
  const before = await tableChecksums();
  await work();
  expect(await tableChecksums()).toEqual(before);
}

describe('valid requests', () => {
  it.each(validRequests)('[API-01] %s succeeds', async (_name, target, request) => {
    const { token } = target === api.account.deleteAccount ? leaver : me;
    expect((await send(target, { ...request, token })).statusCode).toBe(200);
  });

  it('cover every endpoint of the contracts', () => {
    const all = Object.values(api).flatMap((noun) => Object.values(noun));
    expect(new Set(validRequests.map(([, target]) => target))).toEqual(new Set(all));
  });

  it.each([
    ['GET', `/playlist/find-by-id/${randomUUID()}`],
    ['GET', '/playlist/find-paginated'],
    ['GET', `/playlist/find-playlist-content/${randomUUID()}`],
    ['POST', '/playlist'],
    ['PUT', '/playlist'],
    ['DELETE', `/playlist/${randomUUID()}`],
    ['GET', '/notifications/find-paginated'],
    ['POST', '/auth/sign-in-cognito'],
  ] as const)('[API-01] %s %s is at the specified path, for signed-in users only', async (method, url) => {
    expect((await app.inject({ method, url: `/api${url}` })).statusCode).toBe(401);
  });
});

describe('invalid fields', () => {
  it.each(cases)('[API-03] $name: $path', async ({ target, path, values, request, location, field }) => {
    expect(values.length).toBeGreaterThan(0);
    await expectNoChange(async () => {
      for (const value of values) {
        const response = await send(target, setField(request, location, field, value));
        const label = `${path} = ${JSON.stringify(value)?.slice(0, 80)}`;
        expect([label, response.statusCode]).toEqual([label, 400]);
        const { code, fields } = response.json().error;
        expect([label, code]).toEqual([label, 'invalid_request']);
        expect(`${fields[0].path}.`.startsWith(`${path}.`)).toBe(true);
        expect(fields[0].message).toMatch(/\w/);
      }
    });
  });

  const { findNotifications } = api.notifications;
  const { findPlaylists } = api.playlists;
  it.each<[string, Endpoint, Record<string, string>]>([
    ['query.sorter', findNotifications, { sorter: '{"createdAt":' }],
    ['query.sorter.createdAt', findNotifications, { sorter: '{"createdAt":0}' }],
    ['query.sorter.title', findNotifications, { sorter: '{"title":1}' }],
    ['query.filter', findNotifications, { filter: 'unread' }],
    ['query.filter.title', findNotifications, { filter: '{"title":"News"}' }],
    ['query.sorter', findPlaylists, { sorter: '{"_created_at":' }],
    ['query.sorter._created_at', findPlaylists, { sorter: '{"_created_at":0}' }],
    ['query.filter.origin', findPlaylists, { filter: '{"origin":"admin"}' }],
    ['query.filter.name', findPlaylists, { filter: '{"name":{"$ne":7}}' }],
  ])('[API-03] reports an invalid %s as field_invalid', async (path, target, query) => {
    const response = await send(target, { token: me.token, query });
    expect(response.json().error).toMatchObject({
      code: 'invalid_request',
      fields: [{ path, code: 'field_invalid' }],
    });
  });

  it('[API-03] names every invalid field in the user’s language', async () => {
    const headers = { 'accept-language': 'es' };
    const body = { track: 'x', device: undefined, sequence: 0, position: 1, cause: 'tick' };
    const response = await send(api.listening.saveProgress, { token: me.token, body, headers });
    expect(response.json().error.fields).toEqual([
      { path: 'body.track', code: 'field_invalid', message: 'Este valor no es válido.' },
      { path: 'body.device', code: 'field_required', message: expect.stringMatching(/obligatorio/) },
      { path: 'body.sequence', code: 'field_invalid', message: 'Este valor no es válido.' },
    ]);
  });

  it.each([SQL, PATH, '%', "' or '1'='1"])('[API-03] a searched name is plain text: %s', async (text) => {
    await expectNoChange(async () => {
      const filter = JSON.stringify({ origin: 'user', name: { $regex: text } });
      const response = await send(api.playlists.findPlaylists, { token: me.token, query: { filter } });
      expect([response.statusCode, response.json()]).toEqual([200, { docs: [], totalDocs: 0 }]);
    });
  });
});

describe('invalid bodies', () => {
  const post = (payload: string, type = 'application/json') =>
    app.inject({
      method: 'POST',
      url: '/api/listening/progress',
      headers: { authorization: `Bearer ${me.token}`, 'content-type': type },
      payload,
    });

  it.each([
    ['no JSON', '{"track":', undefined, 400, 'invalid_request'],
    ['nothing', '', undefined, 400, 'invalid_request'],
    ['null', 'null', undefined, 400, 'invalid_request'],
    ['a list', '[]', undefined, 400, 'invalid_request'],
    ['a text', '"x"', undefined, 400, 'invalid_request'],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}', undefined, 400, 'invalid_request'],
    ['too much', JSON.stringify({ track: 'a'.repeat(300_000) }), undefined, 413, 'payload_too_large'],
    ['XML', '<track/>', 'application/xml', 415, 'unsupported_media_type'],
  ])('[API-03] %s', async (_name, payload, type, status, code) => {
    await expectNoChange(async () => {
      const response = await post(payload, type);
      expect([response.statusCode, response.json().error.code]).toEqual([status, code]);
    });
  });
});

describe('invalid URLs', () => {
  const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${me.token}` } });

  it.each([
    ['/api/playlist/find-by-id/%00', 400],
    ['/api/playlist/find-by-id/', 400],
    ['/api/playlist/find-by-id/..%2f..%2fetc', 400],
    ['/api/playlist', 405],
    ['/api/nothing', 404],
    ['/api/listening/continue?page=1&page=2', 400],
    ['/api/listening/continue?limit[$gt]=1&limit=x', 400],
  ])('[API-03] %s', async (url, status) => {
    const response = await get(url);
    expect(response.statusCode).toBe(status);
    expect(response.json().error.code).toMatch(/^(invalid_request|not_found|method_not_allowed)$/);
  });

  it('[API-03] refuses malformed and too long ones', async () => {
    expect((await get('/api/playlist/find-by-id/%E0%A4%A')).statusCode).toBe(400);
    expect((await get(`/api/playlist/find-by-id/${'a'.repeat(600)}`)).statusCode).toBe(400);
  });
});

describe('unauthenticated requests', async () => {
  const forgeries = await issuer.forgeries(me.subject);

  const userRequests = validRequests.filter(([, { access }]) => access === 'user');
  it.each(userRequests)(
    '[API-02] %s refuses every invalid token and changes nothing',
    async (_name, target, request) => {
      await expectNoChange(async () => {
        for (const [kind, { token, code }] of Object.entries(forgeries)) {
          const response = await send(target, { ...request, token });
          expect([kind, response.statusCode, response.json().error.code]).toEqual([kind, 401, code]);
        }
        const without = await send(target, request);
        expect([without.statusCode, without.json().error.code]).toEqual([401, 'unauthorized']);
      });
    },
  );

  it.each([
    ['playlist', api.playlists.findPlaylist, { params: { id: othersPlaylist } }],
    ['playlist content', api.playlists.findPlaylistContent, { params: { id: othersPlaylist } }],
    ['playlist to rename', api.playlists.changePlaylist, { body: { _id: othersPlaylist, name: 'Mine now' } }],
    [
      'playlist to add a track to',
      api.playlists.changePlaylist,
      { body: { _id: othersPlaylist, 'articles.added': articleId('long-walk') } },
    ],
    [
      'playlist to remove a track from',
      api.playlists.changePlaylist,
      { body: { _id: othersPlaylist, 'articles.removed': articleId('el-gato') } },
    ],
    ['playlist to delete', api.playlists.deletePlaylist, { params: { id: othersPlaylist } }],
    ['change by a user’s id', api.playlists.changePlaylist, { body: { _id: other.id, name: 'Mine now' } }],
    ['deletion by a user’s id', api.playlists.deletePlaylist, { params: { id: other.id } }],
    [
      'new playlist with a user’s id in it',
      api.playlists.createPlaylist,
      { body: { name: 'Mine now', 'articles.added': other.id } },
    ],
    [
      'change with a user’s id in it',
      api.playlists.changePlaylist,
      { body: { _id: myPlaylist, 'articles.added': other.id } },
    ],
    ['playlist by a user’s id', api.playlists.findPlaylist, { params: { id: other.id } }],
    ['page by a user’s id', api.articles.readArticle, { params: { id: other.id } }],
    ['article by a user’s id', api.articles.findArticle, { params: { id: other.id } }],
    ['remove by a user’s id', api.listening.removeContinueListening, { params: { id: other.id } }],
    ['favourite added by a user’s id', api.favourites.addFavourite, { params: { id: other.id } }],
    ['favourite removed by a user’s id', api.favourites.removeFavourite, { params: { id: other.id } }],
    ['history by a user’s id', api.history.removeFromHistory, { params: { id: other.id } }],
    ['audio by a user’s id', api.listening.grantAudio, { params: { id: other.id } }],
    ['progress in a user’s id', api.listening.saveProgress, { body: { ...progressEntry, track: other.id } }],
  ] as [string, Endpoint, Request][])(
    '[LIST-07] another’s %s is not found',
    async (_name, target, request) => {
      await expectNoChange(async () => {
        const response = await send(target, { ...request, token: me.token });
        expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
      });
    },
  );
});

describe('another user’s ids', () => {
  const otherIds = { self: other.id, playlist: othersPlaylist, favourites: othersFavourites };
  const all = Object.entries(otherIds);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  // Clients choose the ids of devices and bookmarks; removing an absent track is no error; a playlist as the source of
  // playback gives no access (PLAY-04); a list of an unknown track is empty.
  const harmless = ['body.device', 'body.articles.removed', 'query.after', 'query.playlist', 'query.track'];
  const clientChosenId = api.bookmarks.saveBookmark;
  const requestsWithOtherIds = validRequests.flatMap(([name, target, request]) =>
    locations.flatMap((location) =>
      Object.entries(Object(request[location]))
        .filter(([field, value]) => isId.test(String(value)) && !harmless.includes(`${location}.${field}`))
        .filter(([field]) => target !== clientChosenId || field !== 'id')
        .flatMap(([field]) =>
          all.map(([whose, id]) => ({
            name,
            target,
            whose,
            path: `${location}.${field}`,
            request: setField(request, location, field, id),
          })),
        ),
    ),
  );

  it.each(requestsWithOtherIds)(
    '[LIST-07] $name: $path, another’s $whose, is not found',
    async ({ target, request }) => {
      await expectNoChange(async () => {
        const response = await send(target, request);
        expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
      });
    },
  );

  const paths = [...new Set(validRequests.map(([, { path }]) => path))].filter((path) => path.includes(':'));
  it.each(paths)('[LIST-07] %s: no method reads or changes them', async (path) => {
    const headers = { authorization: `Bearer ${me.token}` };
    await expectNoChange(async () => {
      for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const) {
        for (const [whose, id] of all) {
          const url = `/api${path.replace(/:\w+/g, id)}`;
          if (path === clientChosenId.path && method === clientChosenId.method) continue;
          const { statusCode } = await app.inject({ method, url, headers });
          expect([method, whose, [404, 405].includes(statusCode)]).toEqual([method, whose, true]);
        }
      }
    });
  });

  it.each(validRequests.filter(([, { method }]) => method === 'GET'))(
    '[LIST-07] %s contains none of them',
    async (...call) => {
      const [, target, request] = call;
      const { body } = await send(target, { ...request, token: me.token });
      for (const [, id] of all) expect(body).not.toContain(id);
    },
  );
});

describe('the log', () => {
  it('[API-03] has every request, but no token, signature, query or secret', async () => {
    const text = log.join('');
    expect(text).toContain('/api/auth/sign-in-cognito');
    const forgeries = Object.values(await issuer.forgeries(me.subject)).map(({ token }) => token);
    const secrets = [me.token, idToken, other.token, secret, 'signature=', 'filter=', me.email, ...forgeries];
    for (const hidden of secrets.filter((hidden) => hidden !== '')) expect(text).not.toContain(hidden);
    for (const segment of me.token.split('.')) expect(text).not.toContain(segment);
    expect(text).not.toContain('drop table');
  });

  it('[API-03] has no server error', () => {
    const failures = log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
    expect(failures).toEqual([]);
  });
});
