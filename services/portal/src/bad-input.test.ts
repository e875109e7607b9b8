import { api, type Endpoint } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { locations, startRequestTest } from './testing/request-test.ts';

const requestTest = await startRequestTest();
const { app, send, articleId, me, idToken, msisdn, proof, validRequests, setField, expectNoChange } =
  requestTest;

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
const badDates = [null, '', 'yesterday', '2026-11-20', '2026-13-01T00:00:00Z', 7, {}, NUL, SQL];
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
  'body.at': badDates,
  'body.createdAt': badDates,
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

const cases = validRequests.flatMap(([name, target, request]) =>
  locations.flatMap((location) =>
    Object.keys(Object(request[location])).flatMap((field) => {
      const path = `${location}.${field}`;
      return [{ name, target, path, values: invalidValues[path] ?? [], request, location, field }];
    }),
  ),
);

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

requestTest.testLog();
